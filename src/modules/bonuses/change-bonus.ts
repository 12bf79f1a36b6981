import Type from 'typebox';
import { generalErrors } from '../../kernel/declare/errors.ts';
import { operation } from '../../kernel/declare/operation.ts';
import { Id } from '../../kernel/declare/schemas.ts';
import { changeIn, Version } from '../rewards/index.ts';
import { bonusList } from './bonus-list.ts';
import { bonusFields, BonusSchema } from './bonus-schema.ts';
import { checkBonus } from './check-bonus.ts';

export const changeBonus = operation({
  method: 'PATCH',
  namespace: 'store',
  path: '/rewards/bonuses/{id}',
  summary: 'Change a bonus',
  description:
    'Changes the fields that are sent; each is replaced as a whole. What was paid stays, and is taken back only by the ' +
    'target that was reached; nothing is paid again for the days of a payment. A changed target begins with its next ' +
    'window, or at once if it has none that ends. With `version`, a bonus that was changed after it is not changed again: 409.',
  access: 'plugin-admin',
  scope: 'manage',
  proof: true,
  params: Type.Object({ id: Id('The bonus.') }),
  body: Type.Object({ ...bonusFields, version: Type.Optional(Version) }, { $id: 'ChangeBonus' }),
  example: { body: { pays: { amount: 50 } } },
  response: BonusSchema,
  errors: [generalErrors.notFound, generalErrors.conflict],
  check: checkBonus,
  handle: (context, input) => changeIn(bonusList, context, input),
});
