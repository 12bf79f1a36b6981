import words from '../../../texts/en/console-mails.json' with { type: 'json' };
import { addWords } from '../../words.ts';

addWords({ 'console-mails': words });
