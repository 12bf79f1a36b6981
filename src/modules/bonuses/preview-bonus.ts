import Type from 'typebox';
import { operation } from '../../kernel/declare/operation.ts';
import { answerOne, withInput } from '../rewards/index.ts';
import { bonusList } from './bonus-list.ts';
import { bonusExample, bonusFields, BonusInput, BonusSchema } from './bonus-schema.ts';
import { checkBonus } from './check-bonus.ts';

/** A form shows it while a bonus is written. */
export const previewBonus = operation({
  method: 'POST',
  namespace: 'store',
  path: '/rewards/bonuses/sentence',
  summary: 'Say a bonus as a sentence',
  description:
    'Takes what POST /rewards/bonuses takes, the name optional, with the same refusals, and saves nothing.',
  access: 'plugin-admin',
  scope: 'manage',
  body: Type.Object({ ...BonusInput.properties, name: bonusFields.name }, { $id: 'PreviewBonus' }),
  example: {
    body: { target: { event: 'first_order' }, pays: { amount: 50 } },
  },
  response: Type.Object(
    { sentence: BonusSchema.properties.sentence },
    { $id: 'BonusPreview', examples: [{ sentence: bonusExample.sentence }] },
  ),
  errors: [],
  check: checkBonus,
  // It only reads, and waits for no writer.
  transaction: false,
  async handle(context, input) {
    const item = await withInput(bonusList, context, input);
    const one = { item, position: 0, version: 0 };
    const { sentence } = await answerOne(bonusList, context, [one], one);
    return { sentence };
  },
});
