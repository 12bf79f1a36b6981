import Type from 'typebox';
import { generalErrors } from '../../kernel/declare/errors.ts';
import { operation } from '../../kernel/declare/operation.ts';
import { Id } from '../../kernel/declare/schemas.ts';
import {
  answer,
  answerOne,
  changeIn,
  changing,
  createIn,
  deleting,
  Version,
  withInput,
} from '../rewards/index.ts';
import { bonusList } from './bonus-list.ts';
import { bonusExample, bonusFields, BonusInput, BonusSchema } from './bonus-schema.ts';
import { checkBonus } from './check-bonus.ts';

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

export const createBonus = operation({
  method: 'POST',
  ...changing,
  path: '/rewards/bonuses',
  summary: 'Create a bonus',
  description:
    'The window in which it is created counts as a whole: an affiliate who has reached the target already gets the ' +
    'bonus. A fixed amount is paid within seconds after the target was reached, a percentage when the window has ' +
    "ended, on the affiliate's oldest active coupon. It is held for `commission.delay_days`. If refunds bring the " +
    'affiliate below the target while it is held, it is taken back; after that it stays.',
  body: BonusInput,
  example: {
    body: {
      name: 'Autumn',
      who: { groups: ['Gold'] },
      target: { by: 'sales', counts: 'granted', window: { kind: 'month' }, at: 1000 },
      pays: { amount: 50 },
    },
  },
  status: 201,
  response: BonusSchema,
  errors: [bonusList.tooMany],
  check: checkBonus,
  handle: (context, input) => createIn(bonusList, context, input),
});

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

export const changeBonus = operation({
  method: 'PATCH',
  ...changing,
  path: '/rewards/bonuses/{id}',
  summary: 'Change a bonus',
  description:
    'Changes the fields that are sent; each is replaced as a whole. What was paid stays, and is taken back only by the ' +
    'target that was reached; nothing is paid again for the days of a payment. A changed target begins with its next ' +
    'window, or at once if it has none that ends. With `version`, a bonus that was changed after it is not changed again: 409.',
  params: Type.Object({ id: Id('The bonus.') }),
  body: Type.Object({ ...bonusFields, version: Type.Optional(Version) }, { $id: 'ChangeBonus' }),
  example: { body: { pays: { amount: 50 } } },
  response: BonusSchema,
  errors: [generalErrors.notFound, generalErrors.conflict],
  check: checkBonus,
  handle: (context, input) => changeIn(bonusList, context, input),
});

export const deleteBonus = deleting(bonusList, {
  path: '/rewards/bonuses/{id}',
  summary: 'Delete a bonus',
  description:
    'What was paid stays, also what is held. With `version`, a bonus that was changed after it is not deleted: 409.',
  deleted: { $id: 'DeletedBonus', version: 6 },
});
