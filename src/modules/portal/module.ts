import { defineModule } from '../../kernel/declare/module.ts';
import { webEnabled } from '../web/index.ts';
import { getProgram } from './get-program.ts';
import { showPortal, showPortalScreen } from './show-portal.ts';

const pages = [showPortal, showPortalScreen];

export const portalModule = defineModule({
  name: 'portal',
  summary: 'The portal of affiliates, and the facts about the program',
  addon: false,
  operations: [getProgram, ...pages],
  switches: [{ setting: webEnabled, operations: pages }],
});
