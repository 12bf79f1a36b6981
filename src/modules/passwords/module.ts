import { defineModule } from '../../kernel/declare/module.ts';
import { basicCredential } from './basic-credential.ts';
import { migrations } from './migrations.ts';

export const passwordsModule = defineModule({
  name: 'passwords',
  summary: 'Application passwords, for HTTP Basic',
  addon: false,
  migrations,
  credentials: [basicCredential],
});
