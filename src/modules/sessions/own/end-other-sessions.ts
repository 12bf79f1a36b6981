import Type from 'typebox';
import { actorId } from '../../../kernel/declare/caller.ts';
import { operation } from '../../../kernel/declare/operation.ts';
import { endSessions } from '../end-sessions.ts';

export const endOtherSessions = operation({
  method: 'DELETE',
  namespace: 'store',
  path: '/account/sessions',
  summary: 'End all your other sessions',
  description: 'Only the session of this request goes on; without one, all end.',
  access: 'user',
  scope: 'manage',
  proof: true,
  whileSuspended: true,
  response: Type.Object(
    {
      ended: Type.Integer({ description: 'How many sessions were ended, expired ones included.' }),
    },
    { $id: 'EndedSessions', examples: [{ ended: 2 }] },
  ),
  async handle({ db, site, caller, nowMs }) {
    const whose = { userId: actorId(caller), except: caller.session?.tokenHash };
    return { ended: await endSessions(db, site, whose, nowMs) };
  },
});
