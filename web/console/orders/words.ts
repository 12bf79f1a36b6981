import words from '../../../texts/en/console-orders.json' with { type: 'json' };
import { addWords } from '../../words.ts';

addWords({ 'console-orders': words });
