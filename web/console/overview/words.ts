import words from '../../../texts/en/console-overview.json' with { type: 'json' };
import { addWords } from '../../words.ts';

declare module '../../words.ts' {
  interface Parts {
    'console-overview': typeof words;
  }
}

addWords({ 'console-overview': words });
