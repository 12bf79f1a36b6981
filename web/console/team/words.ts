import words from '../../../texts/en/console-team.json' with { type: 'json' };
import { addWords } from '../../words.ts';

addWords({ 'console-team': words });
