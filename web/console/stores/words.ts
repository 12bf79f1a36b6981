import words from '../../../texts/en/console-stores.json' with { type: 'json' };
import { addWords } from '../../words.ts';

declare module '../../words.ts' {
  interface Parts {
    'console-stores': typeof words;
  }
}

addWords({ 'console-stores': words });
