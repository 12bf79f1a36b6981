import { defineModule } from '../../kernel/declare/module.ts';
import { basicCredential } from './basic-credential.ts';
import { migrations } from './migrations.ts';
import { tables } from './tables.ts';

export const passwordsModule = defineModule({
  name: 'passwords',
  summary: 'Application passwords, for HTTP Basic',
  addon: false,
  tables,
  migrations,
  credentials: [basicCredential],
});
