import Type, { type Static } from 'typebox';
import { Id, Nullable, StringEnum } from '../../kernel/declare/schemas.ts';
import { countedKinds, counterKinds, windowKinds } from '../../web-contract/reward-kinds.ts';
import type { Condition } from './condition.ts';
import { dayConditions, orderConditions, whatConditions, whoConditions } from './conditions.ts';

/** Requests and responses have the same schema: unknown fields are in neither. */
const closed = { additionalProperties: false } as const;

export const RULES_MAX = 500;
const STEPS_MAX = 20;

const Amount = (description: string) => Type.Number({ minimum: 0, description });
const Percent = Type.Number({ minimum: 0, maximum: 100 });
const Whole = (maximum: number, description: string) =>
  Type.Integer({ minimum: 1, maximum, description });

export const Window = Type.Object(
  {
    kind: StringEnum(windowKinds, {
      description: "Calendar windows are those of the site's time zone.",
    }),
    days: Type.Optional(Whole(366, 'With `days`: the last so many days, today included.')),
  },
  { $id: 'RewardWindow', ...closed, description: 'The time in which is counted.' },
);

/** The fields of a part that are there only where their conditions are. */
function fieldsOf<C extends Readonly<Record<string, Condition>>>(conditions: C) {
  const fields = Object.entries(conditions).map(([name, { schema }]) => [name, schema] as const);
  // The schemas are those of the conditions.
  return Type.Partial(
    Type.Object(Object.fromEntries(fields) as { [Name in keyof C]: C[Name]['schema'] }),
  ).properties;
}

export const who = Type.Object(fieldsOf(whoConditions), {
  $id: 'RewardWho',
  ...closed,
  description: 'Whose orders: at most one of the lists; none for everyone.',
});

const what = Type.Object(fieldsOf(whatConditions), {
  $id: 'RewardWhat',
  ...closed,
  description: 'Which goods: at most one of the lists; none for everything.',
});

const order = Type.Object(fieldsOf(orderConditions), {
  $id: 'RewardOrder',
  ...closed,
  description: 'Which orders: all conditions must hold.',
});

const steps = Type.Object(
  {
    by: StringEnum(counterKinds, { description: 'What is counted for the affiliate.' }),
    counts: StringEnum(countedKinds, {
      description: 'Orders whose commission is payable, or all that count in statistics.',
    }),
    window: Window,
    steps: Type.Array(
      Type.Object({ from: Amount('From this count on.'), percent: Percent }, closed),
      {
        minItems: 1,
        maxItems: STEPS_MAX,
        description: 'Rising, the first from 0.',
      },
    ),
  },
  {
    $id: 'RewardSteps',
    ...closed,
    description: 'A percentage that depends on what the affiliate has achieved.',
  },
);

const rate = Type.Object(
  {
    percent: Type.Optional(Nullable(Percent)),
    fixed_per_order: Type.Optional(Nullable(Amount('A fixed amount for each order.'))),
    fixed_per_product: Type.Optional(Nullable(Amount('A fixed amount for each product.'))),
    excluded: Type.Optional(Type.Literal(true, { description: 'Nothing is earned.' })),
    steps: Type.Optional(steps),
  },
  {
    $id: 'RewardRate',
    ...closed,
    examples: [{ percent: 15 }],
    description:
      'What is earned: rates, of which those that are null are left to the rules below; or `excluded`; or `steps`.',
  },
);

const limit = Type.Object(
  {
    payments: Type.Optional(Whole(10_000, 'The first so many payments of a customer.')),
    months: Type.Optional(Whole(1_200, 'Months from the first credited order of a customer.')),
    amount: Type.Optional(Amount('A sum, with `per` and `window`.')),
    per: Type.Optional(StringEnum(['customer', 'affiliate'])),
    window: Type.Optional(Window),
  },
  {
    $id: 'RewardLimit',
    ...closed,
    description: 'Exactly one of `payments`, `months`, `amount`: what is beyond it earns nothing.',
  },
);

const fields = {
  name: Type.String({ maxLength: 100, description: 'A label of your choice.' }),
  active: Type.Boolean({ description: 'Inactive rules are skipped.' }),
  who,
  what,
  order,
  from: dayConditions.from.schema,
  to: dayConditions.to.schema,
  rate,
  limit: Nullable(limit),
  running: Type.Boolean({
    description: 'Also for renewals of subscriptions that began before the rule.',
  }),
};

const wholeRule = Type.Object(fields);
export type RuleFields = Static<typeof wholeRule>;

const Position = Type.Integer({
  minimum: 1,
  maximum: RULES_MAX,
  description: 'Which one from the top; one after the last is the last.',
});

/** The fields that a request may set. */
export const ruleFields = Type.Partial(Type.Object({ ...fields, position: Position })).properties;

export const RuleInput = Type.Object({ ...ruleFields, rate }, { $id: 'CreateRewardRule' });

export type RuleInput = Static<typeof RuleInput>;

/** The version of the list that the caller has seen. */
export const Version = Type.Integer({
  minimum: 0,
  maximum: Number.MAX_SAFE_INTEGER,
  description: 'The version that you have seen, of the rule or of the list.',
});

export const ruleExample = {
  id: 4,
  position: 1,
  version: 17,
  name: 'Candles for Gold',
  active: true,
  who: { groups: ['Gold'] },
  what: { categories: ['candles'] },
  order: { customer: 'first' },
  from: null,
  to: '2026-11-30',
  rate: { percent: 15, fixed_per_order: null, fixed_per_product: null },
  limit: null,
  running: false,
  sentence:
    'The group Gold earns 15 % on candles for the first order of a customer, until 30 November 2026.',
  missing: [],
  hidden_by: null,
};

export const RewardRuleSchema = Type.Object(
  {
    id: Id('The rule.'),
    position: Position,
    version: Type.Integer({ description: 'The version of the list after its last change.' }),
    ...fields,
    sentence: Type.String({ description: "The rule in a sentence, in the reader's language." }),
    missing: Type.Array(
      Type.Object({
        field: Type.String({ description: 'Its place in the rule, such as `who.groups[0]`.' }),
        id: Id('Its id.'),
      }),
      { description: 'What the rule names and no longer exists.' },
    ),
    hidden_by: Nullable(
      Id('An active rule above that always decides before this one; null if there is none.'),
    ),
  },
  { $id: 'RewardRule', examples: [ruleExample] },
);

export type RewardRuleWire = Static<typeof RewardRuleSchema>;
