import Type from 'typebox';
import { actorId } from '../../../kernel/declare/caller.ts';
import { ApiError, generalErrors } from '../../../kernel/declare/errors.ts';
import { operation } from '../../../kernel/declare/operation.ts';
import { Id } from '../../../kernel/declare/schemas.ts';
import { removeView } from './view-rows.ts';

export const deleteView = operation({
  method: 'DELETE',
  namespace: 'store',
  path: '/report-views/{id}',
  summary: 'Delete one of your saved views of the reports',
  access: 'admin',
  scope: 'write',
  params: Type.Object({ id: Id('The view.') }),
  response: Type.Object({ deleted: Type.Literal(true) }),
  errors: [generalErrors.notFound],
  async handle({ db, caller }, { id }) {
    if (!(await removeView(db, { id, user_id: actorId(caller) }))) {
      throw new ApiError(generalErrors.notFound);
    }
    return { deleted: true as const };
  },
});
