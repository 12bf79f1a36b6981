import words from '../../../texts/en/console-clicks.json' with { type: 'json' };
import { addWords } from '../../words.ts';

addWords({ 'console-clicks': words });
