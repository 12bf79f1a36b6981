import { creating } from '../../db/create-tables.ts';
import { defineModule } from '../../kernel/declare/module.ts';
import { invalidUser, userExists } from './new-user.ts';
import { passwordMetrics } from './password-metrics.ts';
import { passwordsBusy } from './password.ts';
import { tables } from './tables.ts';

export const usersModule = defineModule({
  name: 'users',
  summary: 'People and their roles',
  addon: false,
  errors: [userExists, invalidUser, passwordsBusy],
  migrations: [creating('users/0001-baseline', tables)],
  metrics: [passwordMetrics],
});
