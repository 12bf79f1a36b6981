import words from '../../../texts/en/console-settings.json' with { type: 'json' };
import { addWords } from '../../words.ts';

addWords({ 'console-settings': words });
