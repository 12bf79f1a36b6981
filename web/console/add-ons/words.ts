import words from '../../../texts/en/console-add-ons.json' with { type: 'json' };
import { addWords } from '../../words.ts';

addWords({ 'console-add-ons': words });
