import Type from 'typebox';
import { actorId } from '../../../src/kernel/declare/caller.ts';
import { generalErrors } from '../../../src/kernel/declare/errors.ts';
import { operation } from '../../../src/kernel/declare/operation.ts';
import { Id } from '../../../src/kernel/declare/schemas.ts';
import { decidePage } from '../change-pages.ts';
import { emitPage, pageDeclined } from '../page-events.ts';
import { mailDecision } from '../page-mails.ts';
import { changeState, deletePage } from '../page-rows.ts';
import { PersonalPageSchema, toPage } from '../page-wire.ts';

export const declinePage = operation({
  method: 'POST',
  namespace: 'store',
  path: '/personal-pages/{id}/decline',
  summary: 'Decline a personal page',
  description:
    'The affiliate gets an email with the reason, and can write the page again. The last accepted version stays; declining the ' +
    'shown version itself takes it away from visitors.',
  access: 'admin',
  scope: 'manage',
  params: Type.Object({ id: Id('The version.') }),
  body: Type.Object(
    {
      reason: Type.String({
        maxLength: 500,
        description: 'Why, for the affiliate; may be empty.',
      }),
    },
    { $id: 'DeclinePersonalPage' },
  ),
  response: PersonalPageSchema,
  example: {
    body: { reason: 'Please write what you like about the backpack, not about its price.' },
    response: {
      state: 'declined',
      reason: 'Please write what you like about the backpack, not about its price.',
    },
  },
  errors: [generalErrors.notFound],
  async handle({ db, site, caller, nowMs }, { id, reason }) {
    return decidePage(db, id, async (page, all) => {
      if (page.state === 'declined' && page.reason === reason) return toPage(site, page);
      // What the affiliate wrote after a shown version is what it sees and changes: it stays.
      const isReplaced = page.state === 'shown' && all.length > 1;
      const declined = { ...page, state: 'declined', reason } as const;
      if (isReplaced) await deletePage(db, { id });
      else await changeState(db, declined);
      emitPage(db, pageDeclined, page.user_id, actorId(caller), nowMs);
      await mailDecision(db, site, { userId: page.user_id, declinedFor: reason, nowMs });
      return toPage(site, declined);
    });
  },
});
