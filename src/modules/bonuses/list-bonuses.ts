import Type from 'typebox';
import { operation } from '../../kernel/declare/operation.ts';
import { answer } from '../rewards/index.ts';
import { bonusList } from './bonus-list.ts';
import { bonusExample, BonusSchema } from './bonus-schema.ts';

export const listBonuses = operation({
  method: 'GET',
  namespace: 'store',
  path: '/rewards/bonuses',
  summary: 'List the bonuses',
  description: 'Oldest first. Sentences are in the language of the reader (Accept-Language).',
  access: 'admin',
  scope: 'manage',
  response: Type.Object(
    {
      version: Type.Integer({ description: 'The version of the list. Every change raises it.' }),
      bonuses: Type.Array(BonusSchema),
    },
    { $id: 'Bonuses', examples: [{ version: 5, bonuses: [bonusExample] }] },
  ),
  async handle(context) {
    // Read before the bonuses: with an older version a change is refused, with a newer one it would overwrite.
    const version = await bonusList.readVersion(context.db, context.site);
    const stored = await bonusList.rows.read(context.db);
    return { version, bonuses: await answer(bonusList, context, stored) };
  },
});
