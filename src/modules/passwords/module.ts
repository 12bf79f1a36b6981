import { creating } from '../../db/create-tables.ts';
import { defineModule } from '../../kernel/declare/module.ts';
import { basicCredential } from './basic-credential.ts';
import { tables } from './tables.ts';

export const passwordsModule = defineModule({
  name: 'passwords',
  summary: 'Application passwords, for HTTP Basic',
  addon: false,
  migrations: [creating('passwords/0001-baseline', tables)],
  credentials: [basicCredential],
});
