import Type from 'typebox';
import { ApiError, generalErrors } from '../../kernel/declare/errors.ts';
import { operation } from '../../kernel/declare/operation.ts';
import { EmailAddress } from '../../kernel/declare/schemas.ts';
import { canonicalAddress } from '../../shared/email-address.ts';
import { randomBase62 } from '../../shared/secrets.ts';
import { enqueueMail } from '../mail/index.ts';
import { findUser, findUserByName, recipientOf } from '../users/index.ts';
import { createAccountLink, mayMailLink } from './account-link.ts';
import { confirmAddressMail } from './link-mails.ts';
import { addressRequestedMail, addressTakenMail } from './notice-mails.ts';

export const requestEmail = operation({
  method: 'POST',
  namespace: 'store',
  path: '/account/email',
  summary: 'Ask for another email address',
  description:
    'The new address gets a link that works once and for one day; the address changes when it is followed. The ' +
    'old address gets a notice. At most one request in five minutes and six in a day, then one in an hour.',
  access: 'user',
  scope: 'manage',
  proof: true,
  whileSuspended: true,
  body: Type.Object(
    { email: EmailAddress('The new address.') },
    { $id: 'RequestEmail', examples: [{ email: 'maya@new.example' }] },
  ),
  status: 202,
  response: Type.Object(
    { pending_email: Type.String({ description: 'The address that is to be confirmed.' }) },
    { $id: 'RequestedEmail', examples: [{ pending_email: 'maya@new.example' }] },
  ),
  errors: [generalErrors.noChange],
  async handle({ db, site, caller, nowMs }, input) {
    const email = canonicalAddress(input.email);
    // The caller was identified by its row.
    const user = (await findUser(db, caller.person!.id))!;
    if (user.email === email) throw new ApiError(generalErrors.noChange);
    if (!(await mayMailLink(db, site, { userId: user.id, purpose: 'email' }, nowMs))) {
      throw new ApiError(generalErrors.rateLimited, { data: { retry_after: 300 } });
    }
    const holder = await findUserByName(db, email);
    const isTaken = holder !== undefined && holder.id !== user.id;
    // The answer must not tell whether the address belongs to another user, so the rest is the same.
    const link = await createAccountLink(
      db,
      site,
      { userId: user.id, purpose: 'email', data: email },
      nowMs,
    );
    const key = randomBase62(12);
    const to = { address: email, language: user.language };
    if (isTaken) {
      enqueueMail(db, site, addressTakenMail, { to, data: {}, key: `address:${key}`, nowMs });
    } else {
      enqueueMail(db, site, confirmAddressMail, {
        to,
        data: {},
        link,
        key: `address:${key}`,
        nowMs,
      });
    }
    enqueueMail(db, site, addressRequestedMail, {
      to: recipientOf(user),
      data: { name: user.display_name, email },
      key: `${addressRequestedMail.name}:${key}`,
      nowMs,
    });
    return { pending_email: email };
  },
});
