import Type, { type TString } from 'typebox';
import { brandGroup } from '../../kernel/declare/setting-groups.ts';
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

/** The hash in the name changes with the content, so that pages and caches never show an old logo. */
export const brandLogo: SettingDefinition<TString> = defineManagerSetting(
  'brand.logo',
  Type.String({ pattern: '^(?:logo-[0-9a-f]{16}\\.(?:svg|png))?$', maxLength: 30 }),
  '',
  'The file of the logo; empty without one. It is changed with PUT /brand/logo.',
  (value, site) =>
    value === site.settings.get(brandLogo)
      ? undefined
      : 'is changed with PUT /brand/logo or DELETE /brand/logo',
);

export const brandSettings = inGroup(brandGroup, { 'Accent colour': brandAccent, Logo: brandLogo });
