import words from '../../../texts/en/console-payouts.json' with { type: 'json' };
import { addWords } from '../../words.ts';

addWords({ 'console-payouts': words });
