export { createSetupLink } from './setup/setup-link.ts';
