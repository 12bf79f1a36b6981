import words from '../../../texts/en/console-shortcuts.json' with { type: 'json' };
import { addWords } from '../../words.ts';

addWords({ 'console-shortcuts': words });
