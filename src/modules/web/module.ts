import { defineModule } from '../../kernel/declare/module.ts';
import { webEnabled } from '../store-profile/index.ts';
import { getIcon } from './get-icon.ts';
import { getWebFile } from './get-web-file.ts';

export const webModule = defineModule({
  name: 'web',
  summary: 'The build of the web app, and how pages are rendered',
  addon: false,
  operations: [getWebFile, getIcon],
  switches: [{ setting: webEnabled, operations: [getWebFile] }],
});
