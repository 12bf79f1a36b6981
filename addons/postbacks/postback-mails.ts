import Type from 'typebox';
import type { Transaction } from '../../src/db/database.ts';
import type { Site } from '../../src/kernel/declare/site.ts';
import { defineMail, enqueueMail } from '../../src/modules/mail/index.ts';
import { findUser, recipientOf } from '../../src/modules/users/index.ts';
import { randomBase62 } from '../../src/shared/secrets.ts';
import type { PostbackRow } from './postback/postback-rows.ts';
import './texts.ts';

export const postbackDisabledMail = defineMail(
  'postback-disabled',
  Type.Object({
    name: Type.String(),
    host: Type.String({ description: 'The host of the address.' }),
    since: Type.String({ description: 'The day since which every attempt has failed.' }),
    last_error: Type.String(),
  }),
  { about: 'To the affiliate when a postback was switched off after a day of failures.' },
);

export async function mailDisabled(
  tx: Transaction,
  site: Site,
  postback: PostbackRow,
  nowMs: number,
): Promise<void> {
  const user = await findUser(tx, postback.user_id);
  if (!user) return;
  enqueueMail(tx, site, postbackDisabledMail, {
    to: recipientOf(user),
    data: {
      name: user.display_name,
      // Only the host: the path may contain a secret of the receiver.
      host: new URL(postback.url).host,
      since: site.calendar.dayOf(postback.failing_since ?? nowMs),
      last_error: postback.last_error,
    },
    // A postback can be switched off repeatedly; each time there is one mail.
    key: `${postbackDisabledMail.name}:${postback.id}:${randomBase62(12)}`,
    nowMs,
  });
}
