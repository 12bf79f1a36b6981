import Type from 'typebox';
import { generalErrors } from '../../kernel/declare/errors.ts';
import { operation } from '../../kernel/declare/operation.ts';
import { Id } from '../../kernel/declare/schemas.ts';
import { deleteFrom, Version } from '../rewards/index.ts';
import { bonusList } from './bonus-list.ts';

export const deleteBonus = operation({
  method: 'DELETE',
  namespace: 'store',
  path: '/rewards/bonuses/{id}',
  summary: 'Delete a bonus',
  description:
    'What was paid stays, also what is held. With `version`, a bonus that was changed after it is not deleted: 409.',
  access: 'plugin-admin',
  scope: 'manage',
  proof: true,
  params: Type.Object({ id: Id('The bonus.') }),
  query: Type.Object({ version: Type.Optional(Version) }),
  response: Type.Object(
    {
      deleted: Type.Literal(true),
      version: Type.Integer({ description: 'The version of the list after it.' }),
    },
    { $id: 'DeletedBonus', examples: [{ deleted: true, version: 6 }] },
  ),
  errors: [generalErrors.notFound, generalErrors.conflict],
  handle: (context, input) => deleteFrom(bonusList, context, input),
});
