import words from '../../../texts/en/console-applications.json' with { type: 'json' };
import { addWords } from '../../words.ts';

addWords({ 'console-applications': words });
