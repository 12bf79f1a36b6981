import { defineModule } from '../../kernel/declare/module.ts';
import { webEnabled } from '../web/index.ts';
import { programSettings } from './settings.ts';
import { showProgram } from './show-program.ts';

const operations = [showProgram];

export const programModule = defineModule({
  name: 'program',
  summary: 'The program page: what the store offers to people who recommend it',
  addon: false,
  operations,
  settings: programSettings,
  switches: [{ setting: webEnabled, operations }],
});
