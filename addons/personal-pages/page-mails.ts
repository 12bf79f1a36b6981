import Type from 'typebox';
import type { Transaction } from '../../src/db/database.ts';
import type { Site } from '../../src/kernel/declare/site.ts';
import { defineMail, enqueueMail, type Notice } from '../../src/modules/mail/index.ts';
import { findUser, recipientOf } from '../../src/modules/users/index.ts';
import { randomBase62 } from '../../src/shared/secrets.ts';
import { readOwnPage } from './own-page.ts';
import { pagesEnabled } from './settings.ts';
import './texts.ts';

export const pageNotice: Notice = {
  name: 'personal_page',
  description: 'Decisions of the team about the personal page.',
  audience: 'everyone',
  shownWhile: pagesEnabled,
};

const name = Type.String({ description: 'The name of the affiliate.' });

export const pageAcceptedMail = defineMail(
  'personal-page-accepted',
  Type.Object({
    name,
    page_url: Type.String({ description: 'Its address; empty without an active coupon.' }),
  }),
  { notice: pageNotice, about: 'To an affiliate whose personal page was accepted.' },
);

export const pageDeclinedMail = defineMail(
  'personal-page-declined',
  Type.Object({
    name,
    reason: Type.String({ description: 'The words of the team; may be empty.' }),
    shown: Type.Boolean({ description: 'True if visitors still see an earlier version.' }),
    waiting: Type.Boolean({ description: 'True if a later version waits for the review.' }),
  }),
  {
    notice: pageNotice,
    about: 'To an affiliate whose personal page was declined.',
    required: ['reason'],
  },
);

interface Decision {
  readonly userId: number;
  /** Undefined if the page was accepted. */
  readonly declinedFor?: string;
  readonly nowMs: number;
}

/** Writes to the affiliate in the transaction of the decision, after the versions have changed. */
export async function mailDecision(
  tx: Transaction,
  site: Site,
  { userId, declinedFor: reason, nowMs }: Decision,
): Promise<void> {
  const user = site.settings.get(pagesEnabled) ? await findUser(tx, userId) : undefined;
  if (!user) return;
  const { url, shown, proposed } = await readOwnPage(tx, site, userId);
  // A version can be accepted, taken away and accepted again: each decision is one mail.
  const order = { to: recipientOf(user), key: `personal-page:${randomBase62(16)}`, nowMs };
  if (reason === undefined) {
    const data = { name: user.display_name, page_url: url ?? '' };
    enqueueMail(tx, site, pageAcceptedMail, { ...order, data });
    return;
  }
  const isWaiting = proposed?.state === 'waiting';
  const data = { name: user.display_name, reason, shown: shown !== null, waiting: isWaiting };
  enqueueMail(tx, site, pageDeclinedMail, { ...order, data });
}
