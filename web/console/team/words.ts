import words from '../../../texts/en/console-team.json' with { type: 'json' };
import { addWords } from '../../words.ts';

declare module '../../words.ts' {
  interface Parts {
    'console-team': typeof words;
  }
}

addWords({ 'console-team': words });
