import { defineModule } from '../../kernel/declare/module.ts';
import { contribute } from '../../kernel/declare/point.ts';
import { mails } from '../mail/index.ts';
import { accountInvited } from './account-events.ts';
import { correctLinks, pruneLinks } from './account-link.ts';
import { hasPassword, inviteAffiliate } from './invite-affiliate.ts';
import { invitationMail, resetMail, signInMail } from './link-mails.ts';
import { mailLinks } from './link-requests.ts';
import { migrations } from './migrations.ts';
import { requestReset } from './request-reset.ts';
import { tables } from './tables.ts';

export const accountsModule = defineModule({
  name: 'accounts',
  summary: 'Passwords and addresses of accounts, and the mailed links that change them',
  addon: false,
  operations: [requestReset, inviteAffiliate],
  events: [accountInvited],
  errors: [hasPassword],
  jobs: [mailLinks, pruneLinks],
  contributions: [invitationMail, resetMail, signInMail].map((mail) => contribute(mails, mail)),
  tables,
  migrations,
  correctInstants: correctLinks,
});
