import Type, { type TString } from 'typebox';
import { brandGroup, programGroup } from '../../kernel/declare/setting-groups.ts';
import {
  defineManagerSetting,
  inGroup,
  type SettingDefinition,
} from '../../kernel/declare/setting.ts';

/** The colours that pages use are computed from it: see `accentColors`. */
export const brandAccent = defineManagerSetting(
  'brand.accent',
  Type.String({ pattern: '^(?:#[0-9a-f]{6})?$', maxLength: 7 }),
  '',
  'The colour of links and buttons, like #0b6b53. It is made darker or lighter where text could not be read. Empty for the built-in colour.',
);

/** The hash in the name changes with the content, so that pages and caches never show an old file. */
export const brandLogo: SettingDefinition<TString> = defineFileSetting(
  'brand.logo',
  '^(?:logo-[0-9a-f]{16}\\.(?:svg|png))?$',
  'The file of the logo; empty without one. It is changed with PUT /brand/logo.',
  '/brand/logo',
);

export const programPicture: SettingDefinition<TString> = defineFileSetting(
  'program.picture',
  '^(?:picture-[0-9a-f]{16}-\\d{1,4}x\\d{1,4}\\.(?:jpg|png))?$',
  'The file of the picture on the program page; empty without one. It is changed with PUT /brand/picture.',
  '/brand/picture',
);

function defineFileSetting(
  key: string,
  pattern: string,
  help: string,
  path: string,
): SettingDefinition<TString> {
  const setting: SettingDefinition<TString> = defineManagerSetting(
    key,
    Type.String({ pattern, maxLength: 50 }),
    '',
    help,
    (value, site) =>
      value === site.settings.get(setting)
        ? undefined
        : `is changed with PUT ${path} or DELETE ${path}`,
  );
  return setting;
}

export const brandSettings = [
  ...inGroup(brandGroup, { 'Accent colour': brandAccent, Logo: brandLogo }),
  ...inGroup(programGroup, { Picture: programPicture }),
];
