import words from '../../../texts/en/console-palette.json' with { type: 'json' };
import { addWords } from '../../words.ts';

addWords({ 'console-palette': words });
