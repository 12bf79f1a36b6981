import Type from 'typebox';
import { generalErrors } from '../../kernel/declare/errors.ts';
import { operation } from '../../kernel/declare/operation.ts';
import { Id } from '../../kernel/declare/schemas.ts';
import { requireSeen, Version } from '../rewards/index.ts';
import { finishChange, openBonuses, requireBonus } from './bonus-list.ts';
import { deleteBonusRow } from './bonus-rows.ts';

export const deleteBonus = operation({
  method: 'DELETE',
  namespace: 'store',
  path: '/rewards/bonuses/{id}',
  summary: 'Delete a bonus',
  description:
    'What was paid stays, also what is held. With `version`, a bonus that was changed after it is not deleted: 409.',
  access: 'plugin-admin',
  scope: 'manage',
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
  async handle(context, { id, version: seen }) {
    const { db, site } = context;
    const list = await openBonuses(db, site);
    const stored = requireBonus(list, id);
    requireSeen(stored, seen, 'bonuses');
    await deleteBonusRow(db, { id });
    await finishChange(db, site, list, { before: stored.bonus }, context);
    return { deleted: true as const, version: list.next };
  },
});
