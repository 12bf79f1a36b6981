import Type from 'typebox';
import { defineManagerSetting, inGroup } from '../../kernel/declare/setting.ts';
import { programGroup } from '../../kernel/declare/setting-groups.ts';

export const programHeadline = defineManagerSetting(
  'program.headline',
  Type.String({ maxLength: 120 }),
  '',
  'The headline of the program page. Plain text in your own language; empty for the built-in words.',
);

export const programText = defineManagerSetting(
  'program.text',
  Type.String({ maxLength: 3000 }),
  '',
  'The text below the headline of the program page. Plain text; an empty line starts a paragraph. Empty for the built-in words.',
);

export const programSettings = inGroup(programGroup, {
  Headline: programHeadline,
  Text: programText,
});
