import Type from 'typebox';
import { actorId } from '../../kernel/declare/caller.ts';
import type { AffiliateExtra } from '../affiliates/index.ts';
import { findUser } from '../users/index.ts';
import { inviteUser } from './invite-user.ts';

/** Adds `invite` to the body that creates an affiliate. */
export const inviteNewAffiliate: AffiliateExtra = {
  fields: {},
  read: () => Promise.resolve({}),
  inputs: {
    invite: Type.Optional(
      Type.Boolean({
        description:
          'True to email the affiliate a link for choosing a password. Ignored if a password is given.',
      }),
    ),
  },
  async created(tx, site, caller, { id }, { invite }, nowMs) {
    if (invite !== true) return;
    // The user was created in this transaction.
    const user = (await findUser(tx, id))!;
    if (user.password_hash !== null) return;
    await inviteUser(tx, site, user, { actorId: actorId(caller), nowMs });
  },
};
