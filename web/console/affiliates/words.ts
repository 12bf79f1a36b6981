import words from '../../../texts/en/console-affiliates.json' with { type: 'json' };
import { addWords } from '../../words.ts';

addWords({ 'console-affiliates': words });
