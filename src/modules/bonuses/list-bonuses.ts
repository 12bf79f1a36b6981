import Type from 'typebox';
import { operation } from '../../kernel/declare/operation.ts';
import { readVersion } from '../rewards/index.ts';
import { answerBonuses } from './bonus-list.ts';
import { readBonuses } from './bonus-rows.ts';
import { bonusExample, BonusSchema } from './bonus-schema.ts';
import { bonusesVersion } from './settings.ts';

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
    const version = await readVersion(context.db, context.site, bonusesVersion);
    return { version, bonuses: await answerBonuses(context, await readBonuses(context.db)) };
  },
});
