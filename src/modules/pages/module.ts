import { defineModule } from '../../kernel/declare/module.ts';
import { webEnabled } from '../store-profile/index.ts';
import { getProgram } from './get-program.ts';
import { programSettings } from './settings.ts';
import { showConsole, showConsoleDetail, showConsoleScreen } from './show-console.ts';
import { showPortal, showPortalScreen } from './show-portal.ts';
import { showProgram } from './show-program.ts';

const pages = [
  showProgram,
  showPortal,
  showPortalScreen,
  showConsole,
  showConsoleScreen,
  showConsoleDetail,
];

export const pagesModule = defineModule({
  name: 'pages',
  summary: 'The program page, the portal of affiliates and the console of the store',
  addon: false,
  operations: [getProgram, ...pages],
  settings: programSettings,
  switches: [{ setting: webEnabled, operations: pages }],
});
