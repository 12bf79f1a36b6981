import {
  anonymousRatePerMinute,
  ratePerMinute,
  siteRatePerMinute,
} from '../../kernel/call/rate-limit-settings.ts';
import { defineModule } from '../../kernel/declare/module.ts';
import { disabledAddons, disabledEndpoints } from '../../kernel/declare/switches.ts';
import { changeSettings } from './change-settings.ts';
import { settingsUpdated } from './store-settings.ts';
import { getSettingsSchema } from './get-settings-schema.ts';
import { getSettings } from './get-settings.ts';
import { migrations } from './migrations.ts';
import { bindSettings } from './setting-store.ts';
import { tables } from './tables.ts';

export const settingsModule = defineModule({
  name: 'settings',
  summary: 'What a site can change while it runs',
  addon: false,
  operations: [getSettings, getSettingsSchema, changeSettings],
  events: [settingsUpdated],
  // Settings that the kernel reads.
  settings: [
    ratePerMinute,
    anonymousRatePerMinute,
    siteRatePerMinute,
    disabledEndpoints,
    disabledAddons,
  ],
  tables,
  migrations,
  bindSecrets: bindSettings,
});
