import words from '../../../texts/en/console-imports.json' with { type: 'json' };
import { addWords } from '../../words.ts';

addWords({ 'console-imports': words });
