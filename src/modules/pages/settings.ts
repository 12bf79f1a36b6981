import Type from 'typebox';
import { programGroup } from '../../kernel/declare/setting-groups.ts';
import { defineManagerSetting, inGroup } from '../../kernel/declare/setting.ts';

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

export const programPictureText = defineManagerSetting(
  'program.picture_text',
  Type.String({ maxLength: 200 }),
  '',
  'What the picture shows, for people who cannot see it. Empty if it only decorates the page.',
);

export const programSections = defineManagerSetting(
  'program.sections',
  Type.String({ maxLength: 8000 }),
  '',
  'Your own sections of the program page, below the terms. Lines that start with ## are headings, with - items of a list; an empty line starts a paragraph; **bold** and [text](https://…) work within them.',
);

export const programSettings = inGroup(programGroup, {
  'Description of the picture': programPictureText,
  Headline: programHeadline,
  Text: programText,
  Sections: programSections,
});
