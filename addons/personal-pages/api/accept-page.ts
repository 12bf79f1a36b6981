import Type from 'typebox';
import { actorId } from '../../../src/kernel/declare/caller.ts';
import { generalErrors } from '../../../src/kernel/declare/errors.ts';
import { operation } from '../../../src/kernel/declare/operation.ts';
import { Id } from '../../../src/kernel/declare/schemas.ts';
import { decidePage } from '../change-pages.ts';
import { emitPage, pageShown } from '../page-events.ts';
import { mailDecision } from '../page-mails.ts';
import { changeState, deletePage } from '../page-rows.ts';
import { PersonalPageSchema, toPage } from '../page-wire.ts';

export const acceptPage = operation({
  method: 'POST',
  namespace: 'store',
  path: '/personal-pages/{id}/accept',
  summary: 'Accept a personal page',
  description:
    'Visitors see this version from now on, and the affiliate gets an email. A version that the affiliate has replaced since does not exist any longer: 404.',
  access: 'admin',
  scope: 'manage',
  params: Type.Object({ id: Id('The version.') }),
  response: PersonalPageSchema,
  errors: [generalErrors.notFound],
  async handle({ db, site, caller, nowMs }, { id }) {
    return decidePage(db, id, async (page, all) => {
      if (page.state === 'shown') return toPage(site, page);
      for (const other of all) if (other !== page) await deletePage(db, { id: other.id });
      const accepted = { ...page, state: 'shown', reason: '' } as const;
      await changeState(db, accepted);
      emitPage(db, pageShown, page.user_id, actorId(caller), nowMs);
      await mailDecision(db, site, { userId: page.user_id, nowMs });
      return toPage(site, accepted);
    });
  },
});
