import Type from 'typebox';
import { ApiError, generalErrors } from '../../../src/kernel/declare/errors.ts';
import { operation } from '../../../src/kernel/declare/operation.ts';
import { Id } from '../../../src/kernel/declare/schemas.ts';
import { deleteWebhookRow, lockWebhook } from '../webhook/webhook-rows.ts';

export const deleteWebhook = operation({
  method: 'DELETE',
  namespace: 'v2',
  path: '/webhooks/{id}',
  summary: 'Delete a webhook',
  description: 'Pending deliveries are cancelled, and the delivery log is removed.',
  access: 'plugin-admin',
  scope: 'manage',
  params: Type.Object({ id: Id('The webhook.') }),
  response: Type.Object(
    { deleted: Type.Boolean() },
    { $id: 'DeletedWebhook', examples: [{ deleted: true }] },
  ),
  errors: [generalErrors.notFound],
  async handle({ db }, { id }) {
    await lockWebhook(db, id);
    if (!(await deleteWebhookRow(db, id))) throw new ApiError(generalErrors.notFound);
    return { deleted: true };
  },
});
