import words from '../../../texts/en/console-activity.json' with { type: 'json' };
import { addWords } from '../../words.ts';

addWords({ 'console-activity': words });
