import Type from 'typebox';
import { generalErrors } from '../../../src/kernel/declare/errors.ts';
import { operation } from '../../../src/kernel/declare/operation.ts';
import { Id } from '../../../src/kernel/declare/schemas.ts';
import { removeFile } from '../../../src/modules/files/index.ts';
import { deleteCreativeRow } from '../creative-rows.ts';
import { lockCreative } from '../creative.ts';

export const deleteCreative = operation({
  method: 'DELETE',
  namespace: 'store',
  path: '/creatives/{id}',
  summary: 'Delete a creative',
  description:
    'Its file can no longer be read: pages that show it show nothing. Its links keep working, and orders keep its number.',
  access: 'admin',
  scope: 'manage',
  params: Type.Object({ id: Id('The creative.') }),
  response: Type.Object({ deleted: Type.Literal(true) }),
  errors: [generalErrors.notFound],
  async handle({ db }, { id }) {
    const { file_id } = await lockCreative(db, id);
    await deleteCreativeRow(db, { id });
    if (file_id !== null) await removeFile(db, { id: file_id });
    return { deleted: true as const };
  },
});
