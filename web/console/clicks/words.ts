import words from '../../../texts/en/console-clicks.json' with { type: 'json' };
import { addWords } from '../../words.ts';

declare module '../../words.ts' {
  interface Parts {
    'console-clicks': typeof words;
  }
}

addWords({ 'console-clicks': words });
