import { creating } from '../../db/create-tables.ts';
import {
  anonymousRatePerMinute,
  pageRatePerMinute,
  ratePerMinute,
  siteRatePerMinute,
} from '../../kernel/call/rate-limit-settings.ts';
import { defineModule } from '../../kernel/declare/module.ts';
import { contribute } from '../../kernel/declare/point.ts';
import { settingEffects } from '../../kernel/declare/setting-effect.ts';
import { apiGroup, pagesGroup } from '../../kernel/declare/setting-groups.ts';
import { inGroup } from '../../kernel/declare/setting.ts';
import { disabledAddons, disabledEndpoints } from '../../kernel/declare/switches.ts';
import { changeSettings } from './change-settings.ts';
import { describeEffects } from './describe-effects.ts';
import { getSettingsSchema } from './get-settings-schema.ts';
import { getSettings } from './get-settings.ts';
import { listAddons } from './list-addons.ts';
import { kernelEffects } from './setting-effects.ts';
import { settingsUpdated } from './store-settings.ts';
import { tables } from './tables.ts';

export const settingsModule = defineModule({
  name: 'settings',
  summary: 'Settings that a site can change while it runs',
  addon: false,
  operations: [getSettings, getSettingsSchema, changeSettings, describeEffects, listAddons],
  events: [settingsUpdated],
  // Settings that the kernel reads.
  settings: [
    ...inGroup(apiGroup, {
      'Requests per minute': ratePerMinute,
      'Requests per minute from pages': pageRatePerMinute,
      'Requests per minute without credentials': anonymousRatePerMinute,
      'Requests per minute to pages': siteRatePerMinute,
      'Operations switched off': disabledEndpoints,
    }),
    ...inGroup(pagesGroup, { 'Add-ons switched off': disabledAddons }),
  ],
  migrations: [creating('settings/0001-baseline', tables)],
  contributions: kernelEffects.map((effect) => contribute(settingEffects, effect)),
});
