import { fc } from '../../../../test/support/seeded-random.ts';

export const ORDERS = 8;
/** The coupons of the orders, by their ids: those of two affiliates who are not paid by a gateway. */
export const COUPONS = [3, 4] as const;

/** Amounts are cents. Payouts and cases are chosen by a number modulo their count. */
export type Simple =
  | { do: 'order'; order: number; status: string; goods: number; refund: number }
  | { do: 'request'; coupon: number }
  | { do: 'change'; payout: number; to: string }
  | { do: 'decide'; case: number; decision: 'clear' | 'reject' }
  | { do: 'reopen'; case: number };

export type Command =
  | { do: 'one'; command: Simple }
  | { do: 'together'; commands: Simple[] }
  /** The process dies this many event loop ticks after the commands have started. */
  | { do: 'crash'; commands: Simple[]; ticks: number }
  | { do: 'wait'; hours: number }
  | { do: 'delay'; days: number };

const cents = fc.integer({ min: 1_000, max: 20_000 });

const order = fc.record({
  do: fc.constant('order' as const),
  order: fc.nat(ORDERS - 1),
  status: fc.oneof(
    { weight: 5, arbitrary: fc.constant('completed') },
    { weight: 2, arbitrary: fc.constantFrom('processing', 'cancelled', 'refunded') },
  ),
  goods: cents,
  refund: fc.oneof({ weight: 2, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: cents }),
});
const request = fc.record({
  do: fc.constant('request' as const),
  coupon: fc.constantFrom(...COUPONS),
});
const change = fc.record({
  do: fc.constant('change' as const),
  payout: fc.nat(999),
  to: fc.constantFrom('created', 'paid', 'paid', 'pending', 'cancel'),
});
const decide = fc.record({
  do: fc.constant('decide' as const),
  case: fc.nat(999),
  decision: fc.constantFrom('clear' as const, 'clear' as const, 'reject' as const),
});
const reopen = fc.record({ do: fc.constant('reopen' as const), case: fc.nat(999) });

/** What may or may not have happened when the process dies; orders are sent again by their store. */
const uncertain = fc.oneof(
  { weight: 2, arbitrary: request },
  { weight: 3, arbitrary: change },
  { weight: 3, arbitrary: decide },
  { weight: 2, arbitrary: reopen },
);
const simple: fc.Arbitrary<Simple> = fc.oneof(
  { weight: 4, arbitrary: order },
  { weight: 8, arbitrary: uncertain },
);

export const anyCommand: fc.Arbitrary<Command> = fc.oneof(
  { weight: 20, arbitrary: fc.record({ do: fc.constant('one' as const), command: simple }) },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('together' as const),
      commands: fc.array(simple, { minLength: 2, maxLength: 4 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('crash' as const),
      commands: fc.array(uncertain, { minLength: 1, maxLength: 4 }),
      ticks: fc.nat(9),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('wait' as const),
      hours: fc.integer({ min: 1, max: 100 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('delay' as const), days: fc.constantFrom(0, 0, 2) }),
  },
);
