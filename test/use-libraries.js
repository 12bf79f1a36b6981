// Loaded before every test file (scripts/test.ts), as bin/tributary.js does before the service.
import { useBundledLibraries } from '../bin/libraries.js';

useBundledLibraries();
