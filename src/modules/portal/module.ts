import { defineModule } from '../../kernel/declare/module.ts';
import { webEnabled } from '../web/index.ts';
import { showPortal, showPortalScreen } from './show-portal.ts';

const operations = [showPortal, showPortalScreen];

export const portalModule = defineModule({
  name: 'portal',
  summary: 'The portal of affiliates',
  addon: false,
  operations,
  switches: [{ setting: webEnabled, operations }],
});
