import { creating } from '../../db/create-tables.ts';
import { defineModule } from '../../kernel/declare/module.ts';
import { contribute } from '../../kernel/declare/point.ts';
import { settingEffects } from '../../kernel/declare/setting-effect.ts';
import { webEnabled } from '../store-profile/index.ts';
import { brandSettings } from './brand-settings.ts';
import { deleteLogo } from './delete-logo.ts';
import { deletePicture } from './delete-picture.ts';
import { getBrandFile } from './get-brand-file.ts';
import { getBrand } from './get-brand.ts';
import { putLogo } from './put-logo.ts';
import { putPicture } from './put-picture.ts';
import { accentEffect } from './setting-effects.ts';
import { tables } from './tables.ts';

export const brandModule = defineModule({
  name: 'brand',
  summary: 'The logo, the picture and the colour of the store',
  addon: false,
  operations: [getBrand, putLogo, deleteLogo, putPicture, deletePicture, getBrandFile],
  switches: [{ setting: webEnabled, operations: [getBrandFile] }],
  settings: brandSettings,
  migrations: [creating('brand/0001-baseline', tables)],
  contributions: [contribute(settingEffects, accentEffect)],
});
