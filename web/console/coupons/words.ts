import words from '../../../texts/en/console-coupons.json' with { type: 'json' };
import { addWords } from '../../words.ts';

declare module '../../words.ts' {
  interface Parts {
    'console-coupons': typeof words;
  }
}

addWords({ 'console-coupons': words });
