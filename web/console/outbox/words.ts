import words from '../../../texts/en/console-outbox.json' with { type: 'json' };
import { addWords } from '../../words.ts';

addWords({ 'console-outbox': words });
