import Type from 'typebox';
import { actorId } from '../../../kernel/declare/caller.ts';
import { operation } from '../../../kernel/declare/operation.ts';
import { endSessions } from '../end-sessions.ts';
import { proofRequired, requireProof } from '../require-proof.ts';

export const endOtherSessions = operation({
  method: 'DELETE',
  namespace: 'store',
  path: '/account/sessions',
  summary: 'End all your other sessions',
  description: 'Only the session of this request goes on; without one, all end.',
  access: 'user',
  scope: 'manage',
  whileSuspended: true,
  response: Type.Object(
    {
      ended: Type.Integer({ description: 'How many sessions were ended, expired ones included.' }),
    },
    { $id: 'EndedSessions', examples: [{ ended: 2 }] },
  ),
  errors: [proofRequired],
  async handle({ db, site, caller, nowMs }) {
    requireProof(caller, nowMs);
    const whose = { userId: actorId(caller), except: caller.session?.tokenHash };
    return { ended: await endSessions(db, site, whose, nowMs) };
  },
});
