import { contribute } from '../../kernel/declare/point.ts';
import { defineModule } from '../../kernel/declare/module.ts';
import { getWebFile } from './get-web-file.ts';
import { webEnabled } from './settings.ts';
import { pagesGroup } from '../../kernel/declare/setting-groups.ts';
import { inGroup } from '../../kernel/declare/setting.ts';
import { settingEffects } from '../../kernel/declare/setting-effect.ts';
import { webEffect } from './setting-effects.ts';

const operations = [getWebFile];

export const webModule = defineModule({
  name: 'web',
  summary: 'The build of the web app, and how pages are rendered',
  addon: false,
  operations,
  settings: inGroup(pagesGroup, { 'Portal, console and public pages': webEnabled }),
  switches: [{ setting: webEnabled, operations }],
  contributions: [contribute(settingEffects, webEffect)],
});
