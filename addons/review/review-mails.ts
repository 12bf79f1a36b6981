import Type from 'typebox';
import type { Transaction } from '../../src/db/database.ts';
import type { Site } from '../../src/kernel/declare/site.ts';
import {
  defineMail,
  enqueueMail,
  formatMoney,
  type MailDefinition,
  type Notice,
} from '../../src/modules/mail/index.ts';
import { findUser, listAdministrators, recipientOf } from '../../src/modules/users/index.ts';
import { randomBase62 } from '../../src/shared/secrets.ts';
import { textIn } from '../../src/shared/texts.ts';
import type { CaseRow } from './cases/case-rows.ts';
import './texts.ts';

const reviewNotice: Notice = {
  name: 'cases',
  description: 'Cases of the review that wait for a decision.',
  audience: 'administrators',
};

const remindMail = defineMail(
  'cases-open',
  Type.Object({
    count: Type.Integer({ description: 'How many cases wait.' }),
    days: Type.Integer({ description: 'For how many days at least.' }),
    money: Type.String({ description: 'What they hold, with the currency.' }),
  }),
  { notice: reviewNotice, reason: 'team', about: 'To administrators when cases have waited long.' },
);

const CaseMailData = Type.Object({
  name: Type.String(),
  explanation: Type.String({ description: 'What the case means for the affiliate.' }),
  money: Type.String({ description: 'What it holds, with the currency; empty if nothing.' }),
  note: Type.String({ description: 'The reason of the decision; may be empty.' }),
});

const openedMail = defineMail('case-opened', CaseMailData, {
  about: 'To the affiliate when commission is held by a case.',
});

const decidedMail = defineMail('case-decided', CaseMailData, {
  about: 'To the affiliate when a case was decided, unless the team chose not to tell.',
});

export const reviewMails = [remindMail, openedMail, decidedMail];
export const reviewNotices = [reviewNotice];

/** Mails the affiliate whom a case concerns: when it holds commission, and when it is decided. */
export async function mailCase(
  tx: Transaction,
  site: Site,
  row: CaseRow,
  nowMs: number,
): Promise<void> {
  const user = row.user_id === null ? undefined : await findUser(tx, row.user_id);
  if (!user || row.tell === 0) return;
  const mail: MailDefinition<typeof CaseMailData> = row.state === 'open' ? openedMail : decidedMail;
  const about = row.subject_type === 'order' ? 'order' : 'account';
  enqueueMail(tx, site, mail, {
    to: recipientOf(user),
    data: (language) => ({
      name: user.display_name,
      explanation: textIn(language, `server.review.own.${row.state}.${about}`),
      money: row.held > 0 ? formatMoney(site, language, row.held) : '',
      note: row.note,
    }),
    // A case can be decided, opened again and decided again.
    key: `${mail.name}:${row.id}:${randomBase62(12)}`,
    nowMs,
  });
}

/** Reminds every administrator of cases that have waited for some days. */
export async function mailReminder(
  tx: Transaction,
  site: Site,
  { count, days, held }: { readonly count: number; readonly days: number; readonly held: number },
  nowMs: number,
): Promise<void> {
  const occasion = randomBase62(12);
  for (const administrator of await listAdministrators(tx)) {
    enqueueMail(tx, site, remindMail, {
      to: recipientOf(administrator),
      data: (language) => ({ count, days, money: formatMoney(site, language, held) }),
      key: `${remindMail.name}:${administrator.id}:${occasion}`,
      nowMs,
    });
  }
}
