import { defineModule } from '../../kernel/declare/module.ts';
import { migrations } from './migrations.ts';
import { invalidUser, userExists } from './new-user.ts';
import { passwordMetrics } from './password-metrics.ts';
import { passwordsBusy } from './password.ts';

export const usersModule = defineModule({
  name: 'users',
  summary: 'People and their roles',
  addon: false,
  errors: [userExists, invalidUser, passwordsBusy],
  migrations,
  metrics: [passwordMetrics],
});
