import words from '../../../texts/en/console-webhooks.json' with { type: 'json' };
import { addWords } from '../../words.ts';

addWords({ 'console-webhooks': words });
