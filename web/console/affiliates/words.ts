import words from '../../../texts/en/console-affiliates.json' with { type: 'json' };
import { addWords } from '../../words.ts';

declare module '../../words.ts' {
  interface Parts {
    'console-affiliates': typeof words;
  }
}

addWords({ 'console-affiliates': words });
