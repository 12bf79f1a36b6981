import words from '../../../texts/en/console-coupons.json' with { type: 'json' };
import { addWords } from '../../words.ts';

addWords({ 'console-coupons': words });
