import words from '../../../texts/en/console-applications.json' with { type: 'json' };
import { addWords } from '../../words.ts';

declare module '../../words.ts' {
  interface Parts {
    'console-applications': typeof words;
  }
}

addWords({ 'console-applications': words });
