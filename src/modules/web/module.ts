import { defineModule } from '../../kernel/declare/module.ts';
import { webEnabled } from '../store-profile/index.ts';
import { openScreens } from './extension-screens.ts';
import { getFavicon } from './get-favicon.ts';
import { getIcon } from './get-icon.ts';
import { getRobots } from './get-robots.ts';
import { getScreenScript } from './get-screen-script.ts';
import { getWebFile } from './get-web-file.ts';

export const webModule = defineModule({
  name: 'web',
  summary: 'The build of the web app, and how pages are rendered',
  addon: false,
  operations: [getWebFile, getScreenScript, getIcon, getFavicon, getRobots],
  switches: [{ setting: webEnabled, operations: [getWebFile, getScreenScript] }],
  open: openScreens,
});
