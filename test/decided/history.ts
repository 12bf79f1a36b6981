import { fc } from '../support/seeded-random.ts';

/** Random histories of orders. Places in lists stand for ids, so that a history can be played twice in one service. */

export const AFFILIATES = 2;
/** The affiliate of each coupon. */
export const COUPON_OWNERS = [0, 0, 1];
const CUSTOMERS = 3;
export const ORDERS_MAX = 8;
const DAYS = 70;

export const counting = ['processing', 'completed'] as const;
export const unpaid = ['pending', 'on-hold', 'cancelled', 'failed'] as const;
export type Status = (typeof counting)[number] | (typeof unpaid)[number] | 'refunded';

/** What an order says, apart from its status. */
export interface Content {
  day: number;
  minute: number;
  /** Cents. */
  total: number;
  codes: number[];
  link: { by: 'visitor' | 'referral_code'; coupon: number } | null;
  /** A customer, or an affiliate who orders for themselves. */
  customer:
    | { number: number; by: 'id' | 'email' | 'both'; hasMoved: boolean }
    | { own: number }
    | null;
  subscription: { number: number; says: 'nothing' | 'renewal' | number } | null;
}

export interface Version {
  order: number;
  content: Content;
  status: Status;
  /** Cents. */
  refunded: number;
}

export interface Setup {
  settings: Record<string, unknown>;
  rules: Rule[];
}

interface Rule {
  /** The one whose orders it is about; null for all of the history. */
  affiliate: number | null;
  json: Record<string, unknown>;
}

const window = fc.constantFrom({ kind: 'month' }, { kind: 'year' }, { kind: 'days', days: 20 });

const rate: fc.Arbitrary<Record<string, unknown>> = fc.oneof(
  fc.record({ percent: fc.constantFrom(20, 35) }),
  fc.record({ percent: fc.constant(20), fixed_per_order: fc.constant(1.5) }),
  fc.record({
    steps: fc.record({
      by: fc.constantFrom('sales', 'orders', 'new_customers', 'commission'),
      counts: fc.constantFrom('counted', 'granted'),
      window,
      steps: fc.constantFrom(
        [
          { from: 0, percent: 5 },
          { from: 1, percent: 12 },
        ],
        [
          { from: 0, percent: 5 },
          { from: 2, percent: 9 },
          { from: 150, percent: 17 },
        ],
      ),
    }),
  }),
);

const limit = fc.oneof(
  { weight: 2, arbitrary: fc.constant(null) },
  {
    weight: 3,
    arbitrary: fc.record({
      amount: fc.constantFrom(15, 40),
      per: fc.constantFrom('customer', 'affiliate'),
      window,
    }),
  },
  { weight: 1, arbitrary: fc.record({ payments: fc.integer({ min: 1, max: 3 }) }) },
  { weight: 1, arbitrary: fc.record({ months: fc.integer({ min: 1, max: 2 }) }) },
);

const condition = fc.oneof(
  { weight: 4, arbitrary: fc.constant({}) },
  { weight: 3, arbitrary: fc.record({ customer: fc.constantFrom('first', 'repeat') }) },
  { weight: 1, arbitrary: fc.record({ payment: fc.constantFrom('first', 'renewal') }) },
  {
    weight: 1,
    arbitrary: fc.constant({ payment: 'renewal', payments: { from: 2, to: 3 } }),
  },
  { weight: 1, arbitrary: fc.constant({ via: ['link'] }) },
);

const rule: fc.Arbitrary<Rule> = fc.record({
  affiliate: fc.option(fc.nat(AFFILIATES - 1)),
  json: fc.record({ rate, limit, order: condition }),
});

export const setup: fc.Arbitrary<Setup> = fc.record({
  settings: fc.record({
    'attribution.several': fc.constantFrom('each', 'first', 'share'),
    'attribution.lifetime': fc.boolean(),
    'attribution.lifetime_days': fc.constantFrom(0, 20),
    'attribution.lifetime_extends': fc.boolean(),
    'commission.renewals': fc.constantFrom('once', 'always', '2'),
  }),
  rules: fc.array(rule, { maxLength: 3 }),
});

const customer: fc.Arbitrary<Content['customer']> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      number: fc.nat(CUSTOMERS - 1),
      by: fc.constantFrom('email', 'email', 'id', 'both'),
      // Their address may be another one later.
      hasMoved: fc.constantFrom(false, false, true),
    }),
  },
  { weight: 1, arbitrary: fc.record({ own: fc.nat(AFFILIATES - 1) }) },
  { weight: 1, arbitrary: fc.constant(null) },
);

const coupon = fc.nat(COUPON_OWNERS.length - 1);

export const content: fc.Arbitrary<Content> = fc.record({
  day: fc.nat(DAYS - 1),
  minute: fc.nat(1_439),
  total: fc.integer({ min: 1_000, max: 20_000 }),
  codes: fc.oneof(
    { weight: 3, arbitrary: fc.array(coupon, { minLength: 1, maxLength: 1 }) },
    { weight: 1, arbitrary: fc.uniqueArray(coupon, { maxLength: 3 }) },
    { weight: 2, arbitrary: fc.constant<number[]>([]) },
  ),
  link: fc.option(
    fc.record({ by: fc.constantFrom('visitor' as const, 'referral_code' as const), coupon }),
    { freq: 3 },
  ),
  customer,
  subscription: fc.option(
    fc.record({
      number: fc.nat(1),
      says: fc.oneof(
        fc.constantFrom('nothing' as const, 'renewal' as const),
        fc.integer({ min: 1, max: 4 }),
      ),
    }),
    { freq: 2 },
  ),
});

/** What happens to an order from the moment at which it counts for the first time. */
const life: fc.Arbitrary<[Status, number][]> = fc.constantFrom<[Status, number][]>(
  [['completed', 0]],
  [['completed', 0]],
  [['processing', 0]],
  [
    ['processing', 0],
    ['completed', 0],
  ],
  [
    ['completed', 0],
    ['completed', 0.4],
  ],
  [
    ['completed', 0],
    ['completed', 0.4],
    ['completed', 0],
  ],
  [
    ['completed', 0],
    ['cancelled', 0],
  ],
  [
    ['processing', 0],
    ['on-hold', 0],
    ['completed', 0],
  ],
  [
    ['completed', 0],
    ['refunded', 1],
  ],
  [
    ['completed', 0],
    ['cancelled', 0],
    ['completed', 0],
  ],
);

interface Lives {
  contents: Content[];
  lives: [Status, number][][];
  turns: number[];
}

/** The versions of all orders, those of one order as its life goes. */
function interleaved({ contents, lives, turns }: Lives): Version[] {
  const left = contents.map((said, order) =>
    lives[order]!.map(([status, share]) => {
      const refunded = Math.round(share * said.total);
      return { order, content: said, status, refunded };
    }),
  );
  const versions: Version[] = [];
  for (let i = 0; left.some((list) => list.length > 0); i++) {
    const waiting = left.filter((list) => list.length > 0);
    versions.push(waiting[(turns[i] ?? 0) % waiting.length]!.shift()!);
  }
  return versions;
}

const manyContents = fc.array(content, { minLength: 2, maxLength: ORDERS_MAX });

/** Versions that count, stop counting and count again, in any order of the orders' dates. */
export const countingHistory: fc.Arbitrary<{ setup: Setup; versions: Version[] }> = fc.record({
  setup,
  versions: manyContents.chain((contents) =>
    fc
      .record({
        lives: fc.array(life, { minLength: contents.length, maxLength: contents.length }),
        turns: fc.array(fc.nat(ORDERS_MAX - 1), { minLength: 20, maxLength: 20 }),
      })
      .map((chosen) => interleaved({ contents, ...chosen })),
  ),
});

/** One version of each order; some of them never count. */
export const importedHistory: fc.Arbitrary<{ setup: Setup; versions: Version[]; keys: number[] }> =
  fc.record({
    setup,
    versions: fc
      .array(fc.record({ content, status: fc.constantFrom(...counting, ...counting, ...unpaid) }), {
        minLength: 2,
        maxLength: ORDERS_MAX,
      })
      .map((list) => list.map((said, order) => ({ ...said, order, refunded: 0 }))),
    keys: fc.array(fc.nat(1_000), { minLength: ORDERS_MAX, maxLength: ORDERS_MAX }),
  });
