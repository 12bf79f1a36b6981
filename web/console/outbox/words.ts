import words from '../../../texts/en/console-outbox.json' with { type: 'json' };
import { addWords } from '../../words.ts';

declare module '../../words.ts' {
  interface Parts {
    'console-outbox': typeof words;
  }
}

addWords({ 'console-outbox': words });
