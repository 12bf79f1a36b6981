import Type from 'typebox';
import { actorId } from '../../../src/kernel/declare/caller.ts';
import { generalErrors } from '../../../src/kernel/declare/errors.ts';
import { operation } from '../../../src/kernel/declare/operation.ts';
import { Id } from '../../../src/kernel/declare/schemas.ts';
import { requireOwnAffiliate } from '../../../src/modules/affiliates/index.ts';
import { changePages } from '../change-pages.ts';
import { emitPage, pageDeleted } from '../page-events.ts';
import { deletePagesOf } from '../page-rows.ts';

export const deleteOwnPage = operation({
  method: 'DELETE',
  namespace: 'store',
  path: '/affiliates/{id}/personal-page',
  summary: 'Delete the personal page of an affiliate',
  description:
    'For admins and the affiliate itself: all versions and their pictures. The address then leads to the store.',
  access: 'owner',
  scope: 'write',
  params: Type.Object({ id: Id('The affiliate.') }),
  response: Type.Object({ deleted: Type.Literal(true) }),
  errors: [generalErrors.notFound],
  async handle({ db, caller, nowMs }, { id }) {
    await changePages(db, id, async (before) => {
      await requireOwnAffiliate(db, caller, id);
      if (before.length === 0) return;
      await deletePagesOf(db, { user_id: id });
      emitPage(db, pageDeleted, id, actorId(caller), nowMs);
    });
    return { deleted: true as const };
  },
});
