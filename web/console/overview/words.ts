import words from '../../../texts/en/console-overview.json' with { type: 'json' };
import { addWords } from '../../words.ts';

addWords({ 'console-overview': words });
