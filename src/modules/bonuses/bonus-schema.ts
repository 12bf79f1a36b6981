import Type, { type Static } from 'typebox';
import { Id, StringEnum } from '../../kernel/declare/schemas.ts';
import { countedKinds, counterKinds, RewardWho, RewardWindow } from '../rewards/index.ts';

export const BONUSES_MAX = 100;

const target = Type.Object(
  {
    by: Type.Optional(
      StringEnum(counterKinds, { description: 'What is counted for the affiliate.' }),
    ),
    counts: Type.Optional(
      StringEnum(countedKinds, {
        description: 'Orders whose commission is payable, or all that count in statistics.',
      }),
    ),
    window: Type.Optional(RewardWindow),
    at: Type.Optional(Type.Number({ exclusiveMinimum: 0, description: 'The value to reach.' })),
    event: Type.Optional(
      StringEnum(['first_order', 'accepted'], {
        description:
          'The first order that is granted, or joining the program, after the bonus was made.',
      }),
    ),
  },
  {
    $id: 'BonusTarget',
    additionalProperties: false,
    examples: [{ by: 'sales', counts: 'granted', window: { kind: 'month' }, at: 1000 }],
    description: 'Either `by`, `counts`, `window` and `at`, or `event`.',
  },
);

const pays = Type.Object(
  {
    amount: Type.Optional(
      Type.Number({ exclusiveMinimum: 0, description: 'Paid when the target is reached.' }),
    ),
    percent: Type.Optional(
      Type.Number({
        exclusiveMinimum: 0,
        maximum: 100,
        description: 'Paid when the window has ended: of what it has brought.',
      }),
    ),
    of: Type.Optional(StringEnum(['sales', 'commission'])),
  },
  {
    $id: 'BonusPays',
    additionalProperties: false,
    examples: [{ amount: 50 }],
    description: 'Either `amount`, or `percent` and `of`.',
  },
);

const fields = {
  name: Type.String({ minLength: 1, maxLength: 100, description: 'Affiliates see it.' }),
  active: Type.Boolean({ description: 'An inactive bonus is not paid.' }),
  who: RewardWho,
  target,
  once: StringEnum(['window', 'ever'], {
    description: 'How often an affiliate gets it: in each window of the target, or once.',
  }),
  pays,
};

/** The fields that a request may set. */
export const bonusFields = Type.Partial(Type.Object(fields)).properties;

export const BonusInput = Type.Object(
  { ...bonusFields, name: fields.name, target, pays },
  { $id: 'CreateBonus' },
);
export type BonusInput = Static<typeof BonusInput>;

export const bonusExample = {
  id: 3,
  version: 5,
  name: 'Autumn',
  active: true,
  who: { groups: ['Gold'] },
  target: { by: 'sales', counts: 'granted', window: { kind: 'month' }, at: 1000 },
  once: 'window',
  pays: { amount: 50 },
  sentence: 'The group Gold gets $50.00 for $1,000.00 of sales in a month.',
  missing: [],
};

export const BonusSchema = Type.Object(
  {
    id: Id('The bonus.'),
    version: Type.Integer({ description: 'The version of the list after its last change.' }),
    ...fields,
    sentence: Type.String({ description: "The bonus in a sentence, in the reader's language." }),
    missing: Type.Array(
      Type.Object({
        field: Type.String({ description: 'Its place in the bonus, such as `who.groups[0]`.' }),
        id: Id('Its id.'),
      }),
      { description: 'What the bonus names and no longer exists.' },
    ),
  },
  { $id: 'Bonus', examples: [bonusExample] },
);
export type BonusWire = Static<typeof BonusSchema>;
