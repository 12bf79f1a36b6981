import { fc } from '../../support/seeded-random.ts';

/** What a history has of a rule; everything else is as in a rule that names only its rate. Amounts are cents. */
export interface RuleShape {
  readonly candles: boolean;
  readonly customer: 'any' | 'first' | 'repeat';
  readonly payment: 'any' | 'first' | 'renewal';
  /** The first and the last day, counted from the day on which the histories begin. */
  readonly fromDay: number | null;
  readonly toDay: number | null;
  readonly rate:
    | { readonly kind: 'percent'; readonly percent: number }
    | { readonly kind: 'fixed'; readonly cents: number }
    | { readonly kind: 'both'; readonly percent: number; readonly cents: number }
    | { readonly kind: 'excluded' }
    | ({ readonly kind: 'steps'; readonly percents: readonly number[] } & Counter);
  readonly limit:
    | null
    | { readonly payments: number }
    | { readonly months: number }
    | { readonly cents: number; readonly per: 'customer' | 'affiliate'; readonly window: Window };
  readonly running: boolean;
}

export type Window = 'month' | 'quarter' | 'year' | 'always' | 'days';
/** The days of the window `days`. */
export const WINDOW_DAYS = 12;

export interface Counter {
  readonly by: 'sales' | 'orders' | 'new_customers' | 'commission';
  readonly counts: 'granted' | 'counted';
  readonly window: Window;
  /** What the second step or a bonus begins with: cents, or a number. */
  readonly at: number;
}

export interface Bonus extends Counter {
  readonly once: 'window' | 'ever';
  /** A fixed amount, or 2.5 % of what the window has brought. */
  readonly pays: 'amount' | 'sales' | 'commission';
}

/** A version of an order. What only the first version of an order says is ignored in the others. */
export interface Version {
  readonly order: number;
  readonly daysAgo: number;
  readonly customer: number;
  readonly subscription: number;
  readonly candles: boolean;
  readonly goods: number;
  readonly refund: number;
  readonly status: 'processing' | 'completed' | 'cancelled';
}

export type Command =
  | { readonly do: 'orders'; readonly versions: readonly Version[] }
  | { readonly do: 'create'; readonly rule: RuleShape }
  | { readonly do: 'change'; readonly which: number; readonly rule: RuleShape }
  | { readonly do: 'switch'; readonly which: number }
  | { readonly do: 'delete'; readonly which: number };

/** What happens to one affiliate: commands between which days pass. */
export interface History {
  readonly bonuses: readonly Bonus[];
  readonly waves: readonly (readonly Command[])[];
}

const percent = fc.constantFrom(0, 4, 12.5, 20, 33.3);
const counter = <W extends Window>(...windows: W[]) =>
  fc
    .record({
      by: fc.constantFrom(
        'sales' as const,
        'orders' as const,
        'new_customers' as const,
        'commission' as const,
      ),
      counts: fc.constantFrom('granted' as const, 'counted' as const),
      window: fc.constantFrom(...windows),
      size: fc.integer({ min: 1, max: 5 }),
    })
    .map(({ size, ...rest }) => {
      const units = { sales: 9_000, orders: 1, new_customers: 1, commission: 1_100 };
      return { ...rest, at: size * units[rest.by] };
    });

const rate: fc.Arbitrary<RuleShape['rate']> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('percent' as const), percent }) },
  fc.record({ kind: fc.constant('fixed' as const), cents: fc.constantFrom(0, 150) }),
  fc.record({ kind: fc.constant('both' as const), percent, cents: fc.constant(99) }),
  fc.constant({ kind: 'excluded' as const }),
  {
    weight: 4,
    arbitrary: fc
      .tuple(counter('month', 'quarter', 'year', 'always', 'days'), percent, percent)
      .map(([counts, low, high]) => ({
        kind: 'steps' as const,
        percents: [low, high, 50],
        ...counts,
      })),
  },
);

const limit: fc.Arbitrary<RuleShape['limit']> = fc.oneof(
  { weight: 3, arbitrary: fc.constant(null) },
  fc.record({ payments: fc.integer({ min: 1, max: 3 }) }),
  fc.record({ months: fc.integer({ min: 1, max: 2 }) }),
  {
    weight: 2,
    arbitrary: fc.record({
      cents: fc.constantFrom(500, 2_000),
      per: fc.constantFrom('customer' as const, 'affiliate' as const),
      window: fc.constantFrom<Window>('month', 'quarter', 'year', 'always', 'days'),
    }),
  },
);

const rule: fc.Arbitrary<RuleShape> = fc.record({
  candles: fc.boolean(),
  customer: fc.constantFrom('any' as const, 'any' as const, 'first' as const, 'repeat' as const),
  payment: fc.constantFrom('any' as const, 'any' as const, 'first' as const, 'renewal' as const),
  fromDay: fc.option(fc.integer({ min: -30, max: 10 })),
  toDay: fc.option(fc.integer({ min: 11, max: 40 })),
  rate,
  limit,
  running: fc.constantFrom(false, false, true),
});

const version: fc.Arbitrary<Version> = fc.record({
  order: fc.nat(25),
  daysAgo: fc.nat(45),
  customer: fc.nat(4),
  subscription: fc.constantFrom(0, 0, 1, 2),
  candles: fc.boolean(),
  goods: fc.integer({ min: 0, max: 20_000 }),
  refund: fc.oneof({ weight: 2, arbitrary: fc.constant(0) }, fc.nat(20_000)),
  status: fc.constantFrom('completed', 'completed', 'completed', 'processing', 'cancelled'),
});

const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('orders' as const),
      versions: fc.array(version, { minLength: 2, maxLength: 12, size: 'max' }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('create' as const), rule }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('change' as const), which: fc.nat(9), rule }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('switch' as const), which: fc.nat(9) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('delete' as const), which: fc.nat(9) }) },
);

/**
 * `isPaidAnytime`: the job that pays bonuses runs at any moment, so there are none whose amount depends on that
 * moment.
 */
export const history = (isPaidAnytime: boolean): fc.Arbitrary<History> => {
  const bonus = fc
    .record({
      of: counter('month', 'quarter', 'always'),
      pays: isPaidAnytime
        ? fc.constant('amount' as const)
        : fc.constantFrom('amount' as const, 'sales' as const, 'commission' as const),
    })
    .map(({ of, pays }): Bonus => {
      const isForEver = of.window === 'always';
      return { ...of, once: isForEver ? 'ever' : 'window', pays: isForEver ? 'amount' : pays };
    });
  const wave = fc.array(command, { minLength: 6, maxLength: 12, size: 'max' });
  return fc.record({
    bonuses: fc.array(bonus, { minLength: 3, maxLength: 5 }),
    waves: fc
      .tuple(rule, rule, fc.array(wave, { minLength: 4, maxLength: 4 }))
      .map(([first, second, waves]) => [
        [{ do: 'create', rule: first } as const, { do: 'create', rule: second } as const],
        ...waves,
      ]),
  });
};
