import { creating } from '../../db/create-tables.ts';
import { defineModule } from '../../kernel/declare/module.ts';
import { webEnabled } from '../store-profile/index.ts';
import { finishSetup } from './finish-setup.ts';
import { saveSetupStep } from './save-setup-step.ts';
import { correctSetupLinks } from './setup-link.ts';
import { showSetup } from './show-setup.ts';
import { tables } from './tables.ts';

const operations = [showSetup, saveSetupStep, finishSetup];

export const setupModule = defineModule({
  name: 'setup',
  summary: 'The setup of a new store and its first administrator',
  addon: false,
  operations,
  switches: [{ setting: webEnabled, operations }],
  migrations: [creating('setup/0001-baseline', tables)],
  correctInstants: correctSetupLinks,
});
