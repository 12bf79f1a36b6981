import { defineModule } from '../../kernel/declare/module.ts';
import { contribute } from '../../kernel/declare/point.ts';
import { settingEffects } from '../../kernel/declare/setting-effect.ts';
import { storeSettings, webEffect } from './settings.ts';

export const storeProfileModule = defineModule({
  name: 'store-profile',
  summary: 'The store: its name, currency, time zone and language, and whether it has pages',
  addon: false,
  settings: storeSettings,
  contributions: [contribute(settingEffects, webEffect)],
});
