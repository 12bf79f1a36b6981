import words from '../../../texts/en/console-imports.json' with { type: 'json' };
import { addWords } from '../../words.ts';

declare module '../../words.ts' {
  interface Parts {
    'console-imports': typeof words;
  }
}

addWords({ 'console-imports': words });
