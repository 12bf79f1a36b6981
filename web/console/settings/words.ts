import words from '../../../texts/en/console-settings.json' with { type: 'json' };
import { addWords } from '../../words.ts';

declare module '../../words.ts' {
  interface Parts {
    'console-settings': typeof words;
  }
}

addWords({ 'console-settings': words });
