import { askBehaviours, payBehaviours, type Script } from '../../../../test/models/courier.ts';
import { fc } from '../../../../test/support/seeded-random.ts';

export const ORDERS = 6;
export const COUPONS = 5;

/** The affiliate of the coupon or another one, an administrator, or the command line. */
export type Requester = 'owner' | 'other' | 'admin' | 'system';

/** Amounts are cents. Payouts and payments are chosen by a number modulo their count. */
export type Simple =
  | { do: 'order'; order: number; coupon: number; status: string; goods: number; refund: number }
  | { do: 'adjust'; coupon: number; amount: number }
  | { do: 'request'; coupon: number; by: Requester }
  | { do: 'change'; payout: number; to: string }
  | { do: 'follow-up' };

export type SettingName =
  | 'enabled'
  | 'requests_enabled'
  | 'details_required'
  | 'auto_accept'
  | 'first_by_hand'
  | 'threshold'
  | 'auto_accept_max'
  | 'details_hold_hours'
  | 'methods'
  | 'invoice_methods';

export type Command =
  | { do: 'one'; script: Script; refuse: boolean; command: Simple }
  | { do: 'together'; script: Script; commands: Simple[] }
  /** The process dies this many event loop ticks after the commands have started. */
  | { do: 'crash'; script: Script; commands: Simple[]; ticks: number }
  | { do: 'wait'; ms: number }
  /** The gateway completes or returns a payment. */
  | { do: 'payment'; payment: number; state: 'complete' | 'returned' }
  | { do: 'set'; name: SettingName; value: boolean | number | string[] }
  /** Sets a limit this many cents from the unpaid balance and requests a payout. */
  | {
      do: 'edge';
      name: 'threshold' | 'auto_accept_max';
      plus: number;
      script: Script;
      command: Simple & { do: 'request' };
    }
  | { do: 'details'; login: 'maya' | 'tomas'; method: 'courier' | 'banktransfer' | 'credit' };

const HOUR_MS = 3_600_000;

/** The first two belong to an affiliate who is paid by a gateway. */
const coupon = fc.oneof(
  { weight: 3, arbitrary: fc.nat(1) },
  { weight: 2, arbitrary: fc.nat(COUPONS - 1) },
);
const cents = fc.oneof(fc.integer({ min: 0, max: 2_000 }), fc.integer({ min: 0, max: 60_000 }));

const order = fc.record({
  do: fc.constant('order' as const),
  order: fc.nat(ORDERS - 1),
  coupon,
  status: fc.oneof(
    { weight: 4, arbitrary: fc.constant('completed') },
    { weight: 1, arbitrary: fc.constant('processing') },
    { weight: 2, arbitrary: fc.constantFrom('pending', 'cancelled', 'refunded', 'failed') },
  ),
  goods: cents,
  refund: fc.oneof(fc.constant(0), cents),
});

const adjust = fc.record({
  do: fc.constant('adjust' as const),
  coupon,
  amount: fc.oneof(
    { weight: 3, arbitrary: fc.integer({ min: 1, max: 9_000 }) },
    { weight: 1, arbitrary: fc.integer({ min: -9_000, max: -1 }) },
  ),
});

const request = fc.record({
  do: fc.constant('request' as const),
  coupon,
  by: fc.oneof(
    {
      weight: 9,
      arbitrary: fc.constantFrom('owner' as const, 'admin' as const, 'system' as const),
    },
    { weight: 1, arbitrary: fc.constant('other' as const) },
  ),
});

const change = fc.record({
  do: fc.constant('change' as const),
  payout: fc.nat(999),
  to: fc.constantFrom('pending', 'created', 'paid', 'cancel'),
});

const followUp = fc.constant({ do: 'follow-up' as const });

const simple: fc.Arbitrary<Simple> = fc.oneof(
  { weight: 4, arbitrary: order },
  { weight: 4, arbitrary: adjust },
  { weight: 5, arbitrary: request },
  { weight: 5, arbitrary: change },
  { weight: 3, arbitrary: followUp },
);

const script: fc.Arbitrary<Script> = fc.record({
  pay: fc.constantFrom(...payBehaviours),
  ask: fc.oneof(
    { weight: 3, arbitrary: fc.constant('truth' as const) },
    { weight: 1, arbitrary: fc.constantFrom(...askBehaviours) },
  ),
  before: fc.nat(4),
  after: fc.nat(4),
});

const flag = fc.boolean();
const amount = fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 400 }));
const allMethods = ['banktransfer', 'credit', 'courier'];
const methods = fc.subarray(allMethods);
const values: Record<SettingName, fc.Arbitrary<boolean | number | string[]>> = {
  enabled: fc.oneof({ weight: 3, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: flag }),
  requests_enabled: flag,
  details_required: flag,
  auto_accept: fc.oneof(
    { weight: 2, arbitrary: fc.constant(true) },
    { weight: 1, arbitrary: flag },
  ),
  first_by_hand: flag,
  threshold: fc.oneof(fc.constant(0), fc.constant(0), amount),
  auto_accept_max: fc.oneof(fc.constant(1_000), amount),
  details_hold_hours: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 48 })),
  methods: fc.oneof(methods, fc.constant(allMethods)),
  invoice_methods: fc.oneof(fc.constant([] as string[]), methods),
};

const setting = fc.oneof(
  ...Object.entries(values).map(([name, value]) =>
    fc.record({ do: fc.constant('set' as const), name: fc.constant(name as SettingName), value }),
  ),
);

export const anyCommand: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 20,
    arbitrary: fc.record({
      do: fc.constant('one' as const),
      script,
      refuse: fc.nat(15).map((n) => n === 1),
      command: simple,
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('together' as const),
      script,
      commands: fc.array(simple, { minLength: 2, maxLength: 4 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('crash' as const),
      script,
      commands: fc.array(fc.oneof(adjust, request, request, change, followUp), {
        minLength: 1,
        maxLength: 4,
      }),
      ticks: fc.nat(9),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('wait' as const),
      ms: fc.oneof(
        fc.integer({ max: 2 * HOUR_MS, min: 1 }),
        fc.integer({ max: 800 * HOUR_MS, min: 1 }),
      ),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('payment' as const),
      payment: fc.nat(999),
      state: fc.constantFrom('complete' as const, 'returned' as const),
    }),
  },
  { weight: 3, arbitrary: setting },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('edge' as const),
      name: fc.constantFrom('threshold' as const, 'auto_accept_max' as const),
      plus: fc.integer({ min: -1, max: 1 }),
      script,
      command: request,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('details' as const),
      login: fc.constantFrom('maya' as const, 'tomas' as const),
      method: fc.constantFrom(
        'courier' as const,
        'courier' as const,
        'banktransfer' as const,
        'credit' as const,
      ),
    }),
  },
);
