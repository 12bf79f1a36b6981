import words from '../../../texts/en/console-reports.json' with { type: 'json' };
import { addWords } from '../../words.ts';

addWords({ 'console-reports': words });
