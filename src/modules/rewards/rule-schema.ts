import Type, { type Static } from 'typebox';
import { Day, Id, Nullable, StringEnum } from '../../kernel/declare/schemas.ts';
import {
  countedKinds,
  counterKinds,
  creditKinds,
  customerKinds,
  paymentKinds,
  windowKinds,
} from './rule.ts';

/** Requests and responses have the same schema: unknown fields are in neither. */
const closed = { additionalProperties: false } as const;

export const RULES_MAX = 500;
const LIST_MAX = 500;
const STEPS_MAX = 20;

const listOf = <T extends Type.TSchema>(items: T, description: string, maxItems = LIST_MAX) =>
  Type.Optional(Type.Array(items, { minItems: 1, maxItems, uniqueItems: true, description }));

const StoreIds = (description: string) =>
  listOf(Type.String({ minLength: 1, maxLength: 100 }), description);
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

export const who = Type.Object(
  {
    groups: listOf(
      Type.Union([Type.String({ maxLength: 100 }), Id('Its id.')]),
      'Groups by name, or by id; a group that was deleted is shown by its id.',
    ),
    affiliates: listOf(Id('Its id.'), 'Affiliates by id.'),
    coupons: listOf(Id('Its id.'), 'Coupons by id.'),
  },
  {
    $id: 'RewardWho',
    ...closed,
    description: 'Whose orders: at most one of the lists; none for everyone.',
  },
);

const what = Type.Object(
  {
    products: StoreIds('Products by the id that the store gives them.'),
    categories: StoreIds('Categories by the id that the store gives them.'),
    tags: StoreIds('Tags by the id that the store gives them.'),
  },
  {
    $id: 'RewardWhat',
    ...closed,
    description: 'Which goods: at most one of the lists; none for everything.',
  },
);

const order = Type.Object(
  {
    customer: Type.Optional(StringEnum(customerKinds, { description: "The customer's orders." })),
    payment: Type.Optional(StringEnum(paymentKinds, { description: 'Payments of subscriptions.' })),
    payments: Type.Optional(
      Type.Object(
        {
          from: Type.Optional(Whole(10_000, 'The first payment.')),
          to: Type.Optional(Whole(10_000, 'The last payment.')),
        },
        {
          ...closed,
          description: 'With `payment` renewal: which ones by number, both ends included.',
        },
      ),
    ),
    min_total: Type.Optional(Amount('The minimum total of the order, after discount.')),
    countries: listOf(
      Type.String({ pattern: '^[A-Z]{2}$', examples: ['DE'], description: 'Two capital letters.' }),
      'Countries of the order, as in ISO 3166.',
    ),
    via: listOf(StringEnum(creditKinds), 'What credited the order.'),
    stores: listOf(Id('Its id.'), 'Connected stores by id.'),
  },
  { $id: 'RewardOrder', ...closed, description: 'Which orders: all conditions must hold.' },
);

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
  active: Type.Boolean({ description: 'An inactive rule is not asked.' }),
  who,
  what,
  order,
  from: Nullable(Day('The first day of the orders, in the time zone of the site.')),
  to: Nullable(Day('The last day of the orders.')),
  rate,
  limit: Nullable(limit),
  running: Type.Boolean({
    description: 'Also for renewals of subscriptions that began before the rule.',
  }),
};

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
    'Affiliates of Gold earn 15 % on candles for the first order of a customer, until 30 November 2026.',
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
