import { defineModule } from '../../kernel/declare/module.ts';
import { webEnabled } from '../web/index.ts';
import { showConsole, showConsoleDetail, showConsoleScreen } from './show-console.ts';

const pages = [showConsole, showConsoleScreen, showConsoleDetail];

export const consoleModule = defineModule({
  name: 'console',
  summary: 'The console, from which the store runs its program',
  addon: false,
  operations: pages,
  switches: [{ setting: webEnabled, operations: pages }],
});
