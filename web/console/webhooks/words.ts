import words from '../../../texts/en/console-webhooks.json' with { type: 'json' };
import { addWords } from '../../words.ts';

declare module '../../words.ts' {
  interface Parts {
    'console-webhooks': typeof words;
  }
}

addWords({ 'console-webhooks': words });
