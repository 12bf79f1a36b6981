import { defineModule } from '../../kernel/declare/module.ts';
import { changeAccount } from './change-account.ts';
import { getAccount } from './get-account.ts';
import { accountUpdated } from './profile-events.ts';

export const profileModule = defineModule({
  name: 'profile',
  summary: 'Own account: name, language and notices',
  addon: false,
  operations: [getAccount, changeAccount],
  events: [accountUpdated],
});
