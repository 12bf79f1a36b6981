import { adding, creating } from '../../db/create-tables.ts';
import { defineModule } from '../../kernel/declare/module.ts';
import { firstSteps, needs } from '../../kernel/declare/overview.ts';
import { contribute } from '../../kernel/declare/point.ts';
import { storeGroup } from '../../kernel/declare/setting-groups.ts';
import { inGroup } from '../../kernel/declare/setting.ts';
import { getMailServer } from './get-mail-server.ts';
import { getMail } from './get-mail.ts';
import { listOutbox } from './list-outbox.ts';
import { mailMetrics } from './mail-metrics.ts';
import { firstMail, mailsFailed, mailsWaiting } from './mail-needs.ts';
import { mailServerOf } from './mail-server.ts';
import { mails } from './mail.ts';
import { pruneOutbox } from './outbox-rows.ts';
import { previewMail } from './preview-mail.ts';
import { mailLinkErased, mailNotFailed, retryMail } from './retry-mail.ts';
import { correctMailWaits, sendMails } from './send-mails.ts';
import { mailsPerMinute, replyAddress } from './settings.ts';
import { tables } from './tables.ts';
import { getMailText } from './texts/get-mail-text.ts';
import { listMailTexts } from './texts/list-mail-texts.ts';
import { previewMailText } from './texts/preview-mail-text.ts';
import { resetMailText } from './texts/reset-mail-text.ts';
import { setMailText } from './texts/set-mail-text.ts';
import { testMailText } from './texts/test-mail-text.ts';
import { textChangedMail } from './texts/text-changed-mail.ts';
import { mailTextChanged } from './texts/text-events.ts';

export const mailModule = defineModule({
  name: 'mail',
  summary: 'Emails: the outbox and sending through the mail server',
  addon: false,
  operations: [
    listOutbox,
    getMail,
    getMailServer,
    previewMail,
    retryMail,
    listMailTexts,
    getMailText,
    setMailText,
    resetMailText,
    previewMailText,
    testMailText,
  ],
  events: [mailTextChanged],
  settings: inGroup(storeGroup, {
    'Replies to emails go to': replyAddress,
    'Emails in a minute': mailsPerMinute,
  }),
  errors: [mailLinkErased, mailNotFailed],
  jobs: [sendMails, pruneOutbox],
  metrics: mailMetrics,
  contributions: [
    contribute(mails, textChangedMail),
    contribute(needs, mailsFailed),
    contribute(needs, mailsWaiting),
    contribute(firstSteps, firstMail),
  ],
  migrations: [creating('mail/0001-baseline', tables), adding('mail/0002-after-0.7.0', tables)],
  correctInstants: correctMailWaits,
  close: (site) => mailServerOf(site).close(),
});
