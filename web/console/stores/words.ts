import words from '../../../texts/en/console-stores.json' with { type: 'json' };
import { addWords } from '../../words.ts';

addWords({ 'console-stores': words });
