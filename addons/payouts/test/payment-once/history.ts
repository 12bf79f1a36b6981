import assert from 'node:assert/strict';
import type {
  Behaviour,
  FakePayment,
  Moment,
  Step,
} from '../../../../test/gateways/fake-server.ts';
import { fc } from '../../../../test/support/seeded-random.ts';
import type { PaymentService } from './services.ts';
import type { Shop } from './shop.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

export type Command =
  | { do: 'earn'; cents: number }
  | { do: 'request' }
  /** The time since the previous command. */
  | { do: 'follow-up'; afterMs: number }
  | { do: 'fault'; step: Step; behaviour: Behaviour }
  | { do: 'hide'; hidden: boolean }
  /** The process dies at the next payment. */
  | { do: 'crash'; moment: Moment }
  | { do: 'late' }
  | { do: 'settle'; payment: number; to: 'complete' | 'returned' }
  /** A month, after which services have forgotten idempotency keys. */
  | { do: 'month' }
  /** An administrator looks up the payment and resolves the payout. */
  | { do: 'resolve' };

/** All faults that need no real waiting time. */
const faults = [
  'decline',
  'unauthorized',
  'forbidden',
  'empty-balance',
  'server-error',
  'stored-error',
  'too-many-requests',
  'conflict',
  'reset-before',
  'reset-after',
  'late',
  'malformed',
  'strange',
  'huge',
] as const satisfies Behaviour[];

const fault = fc.record({
  do: fc.constant('fault' as const),
  step: fc.constantFrom<Step>('begin', 'pay', 'pay', 'ask'),
  behaviour: fc.oneof(
    { weight: 2, arbitrary: fc.constantFrom<Behaviour>('reset-after', 'decline') },
    { weight: 3, arbitrary: fc.constantFrom<Behaviour>(...faults) },
  ),
});

const crash = fc.record({
  do: fc.constant('crash' as const),
  moment: fc.constantFrom<Moment>('arrived', 'recorded', 'answered'),
});

const anyCommand: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('earn' as const),
      cents: fc.integer({ min: 1, max: 9_999 }),
    }),
  },
  { weight: 4, arbitrary: fc.constant({ do: 'request' as const }) },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('follow-up' as const),
      afterMs: fc.constantFrom(2 * MINUTE_MS, 61 * MINUTE_MS, DAY_MS),
    }),
  },
  { weight: 6, arbitrary: fault },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('hide' as const), hidden: fc.boolean() }),
  },
  { weight: 2, arbitrary: crash },
  { weight: 1, arbitrary: fc.constant({ do: 'late' as const }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('settle' as const),
      payment: fc.nat(9),
      to: fc.constantFrom('complete' as const, 'returned' as const),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ do: 'month' as const }) },
  { weight: 1, arbitrary: fc.constant({ do: 'resolve' as const }) },
);

/** Starts with a balance and a request that fails, because the commands after it matter. */
export const anyHistory: fc.Arbitrary<Command[]> = fc
  .tuple(
    fc.oneof({ weight: 4, arbitrary: fault }, { weight: 1, arbitrary: crash }),
    fc.array(anyCommand, { minLength: 2, maxLength: 14, size: 'max' }),
  )
  .map(([first, then]) => [{ do: 'earn', cents: 5_000 }, first, { do: 'request' }, ...then]);

/** Counts what happened, so that a test that does nothing fails. */
export type Tally = Map<string, number>;

/** Plays one history with its own balance. */
export class Play {
  readonly #shop: Shop;
  readonly #service: PaymentService;
  readonly #tally: Tally;
  readonly #before: number;
  readonly #returned = new Set<string>();
  #coupon = 0;
  #earned = 0;
  #lateRequests = false;
  /** A payment that is returned after an administrator marked it as paid stays paid in the ledger. */
  #calledPaid = false;

  constructor(shop: Shop, service: PaymentService, tally: Tally) {
    this.#shop = shop;
    this.#service = service;
    this.#tally = tally;
    this.#before = service.fake.payments.length;
  }

  async play(commands: readonly Command[]): Promise<void> {
    this.#coupon = await this.#shop.coupon();
    for (const one of commands) {
      await this.#do(one);
      await this.#compare();
    }
    await this.#settleAll();
  }

  #count(what: string): void {
    this.#tally.set(what, (this.#tally.get(what) ?? 0) + 1);
  }

  async #do(command: Command): Promise<void> {
    const shop = this.#shop;
    const { fake } = this.#service;
    switch (command.do) {
      case 'earn':
        await shop.earn(this.#coupon, command.cents);
        this.#earned += command.cents;
        return;
      case 'request': {
        const { status } = await shop.request(this.#coupon);
        assert.ok([0, 200, 201, 400, 409].includes(status), `answered ${status}`);
        this.#count(`request: ${status}`);
        return;
      }
      case 'follow-up':
        shop.clockMs += command.afterMs;
        return shop.followUp();
      case 'fault':
        if (command.behaviour === 'late') this.#lateRequests = true;
        return fake.next(command.behaviour, command.step);
      case 'hide':
        return this.#service.hide(command.hidden);
      case 'crash':
        return fake.interrupt(command.moment, () => {
          this.#count(`crash: ${command.moment}`);
          return shop.crash();
        });
      case 'late':
        return this.#deliverLate();
      case 'settle':
        return this.#settlePayment(command);
      case 'month':
        this.#deliverLate();
        shop.clockMs += 31 * DAY_MS;
        return this.#service.forget();
      case 'resolve':
        return this.#resolve();
    }
  }

  #deliverLate(): void {
    this.#service.fake.deliverLate();
    this.#lateRequests = false;
  }

  #settlePayment({ payment, to }: Command & { do: 'settle' }): void {
    const standing = this.#standing();
    const one = standing[payment % standing.length];
    if (!one || !this.#service.settle) return;
    this.#service.settle(one.id, to);
    if (to === 'returned') this.#returned.add(one.id);
  }

  /** The administrator sees all payments of the service and decides only when no request is under way. */
  async #resolve(): Promise<void> {
    if (this.#lateRequests) return;
    const open = (await this.#shop.payouts(this.#coupon)).filter(
      ({ status }) => status === 'processing',
    );
    for (const { id } of open) {
      // Only this payout is open, so any payment beyond those of the settled payouts belongs to it.
      const { out } = await this.#shop.pools(this.#coupon);
      const outcome = this.#paidOut() === out ? 'paid' : 'failed';
      const { status } = await this.#shop.resolve(id, outcome);
      assert.ok([200, 409].includes(status), `resolving answered ${status}`);
      if (outcome === 'paid') this.#calledPaid = true;
      this.#count(`resolve: ${outcome} ${status}`);
    }
  }

  #payments(): FakePayment[] {
    return this.#service.fake.payments.slice(this.#before);
  }

  #standing(): FakePayment[] {
    return this.#payments().filter(({ id }) => !this.#returned.has(id));
  }

  #paidOut(): number {
    return this.#standing().reduce((sum, payment) => sum + this.#service.centsOf(payment), 0);
  }

  /** What the service has paid must not be payable again. */
  async #compare(): Promise<void> {
    const keys = this.#payments().map(({ key }) => key);
    assert.equal(new Set(keys).size, keys.length, 'one payout was paid twice');
    const { unpaid, out } = await this.#shop.pools(this.#coupon);
    assert.equal(unpaid + out, this.#earned, 'no money is lost or created');
    assert.ok(
      this.#paidOut() <= out,
      `${this.#paidOut()} cents were paid, of which only ${out} are accounted for`,
    );
  }

  /** With a working service and enough time every payout settles, by the gateway or by an administrator. */
  async #settleAll(): Promise<void> {
    this.#service.fake.behave();
    this.#lateRequests = false;
    this.#service.hide(false);
    for (let round = 0; round < 2; round += 1) {
      this.#shop.clockMs += 31 * DAY_MS;
      await this.#shop.followUp();
      await this.#compare();
    }
    await this.#resolve();
    await this.#compare();
    const payouts = await this.#shop.payouts(this.#coupon);
    for (const { status } of payouts) {
      assert.notEqual(status, 'processing');
      this.#count(`settled: ${status}`);
    }
    const { out } = await this.#shop.pools(this.#coupon);
    if (!this.#calledPaid)
      assert.equal(this.#paidOut(), out, 'every payout marked as paid was paid');
    await this.#shop.assertClean();
  }
}
