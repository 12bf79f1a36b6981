import words from '../../../texts/en/console-shortcuts.json' with { type: 'json' };
import { addWords } from '../../words.ts';

declare module '../../words.ts' {
  interface Parts {
    'console-shortcuts': typeof words;
  }
}

addWords({ 'console-shortcuts': words });
