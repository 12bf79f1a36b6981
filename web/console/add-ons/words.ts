import words from '../../../texts/en/console-add-ons.json' with { type: 'json' };
import { addWords } from '../../words.ts';

declare module '../../words.ts' {
  interface Parts {
    'console-add-ons': typeof words;
  }
}

addWords({ 'console-add-ons': words });
