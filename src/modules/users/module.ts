import { defineModule } from '../../kernel/module.ts';
import { getMe } from './get-me.ts';
import { migrations } from './migrations.ts';
import { userExists } from './new-user.ts';

export const usersModule = defineModule({
  name: 'users',
  summary: 'People, their roles and who is calling',
  addon: false,
  operations: [getMe],
  errors: [userExists],
  migrations,
});
