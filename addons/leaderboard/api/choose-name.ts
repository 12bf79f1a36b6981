import Type from 'typebox';
import { generalErrors } from '../../../src/kernel/declare/errors.ts';
import { operation } from '../../../src/kernel/declare/operation.ts';
import { Id } from '../../../src/kernel/declare/schemas.ts';
import {
  alreadyAnonymised,
  lockAffiliate,
  requireNotAnonymised,
  requireOwnAffiliate,
} from '../../../src/modules/affiliates/index.ts';
import { agree, withdraw } from '../name-rows.ts';

const named = Type.Boolean({
  description: 'Whether other affiliates read the name of this one on the leaderboard.',
});

export const chooseName = operation({
  method: 'PUT',
  namespace: 'store',
  path: '/affiliates/{id}/leaderboard',
  summary: 'Agree to be named on the leaderboard, or withdraw it',
  description: 'For the affiliate itself, and for admins on its behalf. It holds immediately.',
  access: 'owner',
  scope: 'write',
  params: Type.Object({ id: Id('The affiliate.') }),
  body: Type.Object({ named }, { $id: 'ChooseLeaderboardName' }),
  response: Type.Object({ named }, { $id: 'LeaderboardName', examples: [{ named: true }] }),
  example: { body: { named: true } },
  errors: [generalErrors.notFound, alreadyAnonymised],
  async handle({ db, caller, nowMs }, { id, named: isNamed }) {
    // Erasing a person takes the same lock, so no agreement is added behind it.
    await lockAffiliate(db, id);
    requireNotAnonymised(await requireOwnAffiliate(db, caller, id));
    if (isNamed) await agree(db, { user_id: id, agreed_at: nowMs });
    else await withdraw(db, { user_id: id });
    return { named: isNamed };
  },
});
