import words from '../../../texts/en/console-keys.json' with { type: 'json' };
import { addWords } from '../../words.ts';

declare module '../../words.ts' {
  interface Parts {
    'console-keys': typeof words;
  }
}

addWords({ 'console-keys': words });
