import words from '../../../texts/en/console-reports.json' with { type: 'json' };
import { addWords } from '../../words.ts';

declare module '../../words.ts' {
  interface Parts {
    'console-reports': typeof words;
  }
}

addWords({ 'console-reports': words });
