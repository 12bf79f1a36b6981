import words from '../../../texts/en/console-activity.json' with { type: 'json' };
import { addWords } from '../../words.ts';

declare module '../../words.ts' {
  interface Parts {
    'console-activity': typeof words;
  }
}

addWords({ 'console-activity': words });
