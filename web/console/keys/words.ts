import words from '../../../texts/en/console-keys.json' with { type: 'json' };
import { addWords } from '../../words.ts';

addWords({ 'console-keys': words });
