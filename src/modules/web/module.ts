import { defineModule } from '../../kernel/declare/module.ts';
import { getWebFile } from './get-web-file.ts';
import { webEnabled } from './settings.ts';

const operations = [getWebFile];

export const webModule = defineModule({
  name: 'web',
  summary: 'The build of the web app, and how pages are rendered',
  addon: false,
  operations,
  settings: [webEnabled],
  switches: [{ setting: webEnabled, operations }],
});
