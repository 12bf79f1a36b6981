import words from '../../../texts/en/console-palette.json' with { type: 'json' };
import { addWords } from '../../words.ts';

declare module '../../words.ts' {
  interface Parts {
    'console-palette': typeof words;
  }
}

addWords({ 'console-palette': words });
