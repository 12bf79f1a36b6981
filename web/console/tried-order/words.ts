import words from '../../../texts/en/console-tried-order.json' with { type: 'json' };
import { addWords } from '../../words.ts';

addWords({ 'console-tried-order': words });
