import { defineModule } from '../../kernel/declare/module.ts';
import { contribute } from '../../kernel/declare/point.ts';
import { firstSteps, needs } from '../overview/index.ts';
import { firstMail } from './first-mail.ts';
import { mailsFailed, mailsWaiting } from './mail-needs.ts';
import { getMail } from './get-mail.ts';
import { listOutbox } from './list-outbox.ts';
import { mailMetrics } from './mail-metrics.ts';
import { mailServerOf } from './mail-server.ts';
import { migrations } from './migrations.ts';
import { previewMail } from './preview-mail.ts';
import { pruneOutbox } from './prune-outbox.ts';
import { mailLinkErased, mailNotFailed, retryMail } from './retry-mail.ts';
import { sendMails } from './send-mails.ts';
import { correctMailWaits } from './correct-waits.ts';
import { tables } from './tables.ts';

export const mailModule = defineModule({
  name: 'mail',
  summary: 'Mails: the outbox and sending through the mail server',
  addon: false,
  operations: [listOutbox, getMail, previewMail, retryMail],
  errors: [mailLinkErased, mailNotFailed],
  jobs: [sendMails, pruneOutbox],
  metrics: mailMetrics,
  contributions: [
    contribute(needs, mailsFailed),
    contribute(needs, mailsWaiting),
    contribute(firstSteps, firstMail),
  ],
  tables,
  migrations,
  correctInstants: correctMailWaits,
  close: (site) => mailServerOf(site).close(),
});
