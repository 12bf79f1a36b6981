import words from '../../../texts/en/console-mails.json' with { type: 'json' };
import { addWords } from '../../words.ts';

declare module '../../words.ts' {
  interface Parts {
    'console-mails': typeof words;
  }
}

addWords({ 'console-mails': words });
