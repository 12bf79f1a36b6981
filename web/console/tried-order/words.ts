import words from '../../../texts/en/console-tried-order.json' with { type: 'json' };
import { addWords } from '../../words.ts';

declare module '../../words.ts' {
  interface Parts {
    'console-tried-order': typeof words;
  }
}

addWords({ 'console-tried-order': words });
