import words from '../../../texts/en/console-payouts.json' with { type: 'json' };
import { addWords } from '../../words.ts';

declare module '../../words.ts' {
  interface Parts {
    'console-payouts': typeof words;
  }
}

addWords({ 'console-payouts': words });
