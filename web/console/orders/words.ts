import words from '../../../texts/en/console-orders.json' with { type: 'json' };
import { addWords } from '../../words.ts';

declare module '../../words.ts' {
  interface Parts {
    'console-orders': typeof words;
  }
}

addWords({ 'console-orders': words });
