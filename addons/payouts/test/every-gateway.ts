import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import type {
  Behaviour,
  FakePayment,
  FakeServer,
  Step,
} from '../../../test/gateways/fake-server.ts';
import {
  finalFailures,
  type Gateway,
  type GatewayOutcome,
  type GatewayPayout,
} from '../extension.ts';
import { whole } from './attempt.ts';
import { samplePayout } from './sample-payout.ts';

/** Long enough to sign in on a busy machine, short enough for tests of timeouts. */
export const IMPATIENT_MS = 2_000;

export interface GatewayUnderTest {
  fake: FakeServer & { readonly payments: FakePayment[] };
  /** With valid or wrong credentials, and optionally with a short timeout. */
  open(options?: { timeoutMs?: number; wrongCredentials?: boolean }): Gateway;
  details: Record<string, unknown>;
  /** The first outcome of a successful payment. */
  begun: 'paid' | 'created';
  /** Whether it can find a payment without its id. */
  findsWithoutId: boolean;
  /** Texts that no outcome may contain. */
  secrets: string[];
}

/** Tests for every gateway that calls a service. */
export function testGateway(gateway: GatewayUnderTest): void {
  const { fake, details, begun, findsWithoutId } = gateway;
  const open: GatewayUnderTest['open'] = (options) => whole(gateway.open(options));
  after(() => fake.close());
  const outcomes: GatewayOutcome[] = [];
  const keep = async (outcome: Promise<GatewayOutcome>) => {
    const kept = await outcome;
    outcomes.push(kept);
    return kept;
  };
  const { pay, ask } = open();
  const payout = (change: Partial<GatewayPayout> = {}) => samplePayout({ details, ...change });
  const payments = () => fake.payments.length;

  describe('pay', () => {
    test('pays once and names the payment', async () => {
      const [one, before] = [payout(), payments()];
      const outcome = await keep(pay(one));
      assert.equal(outcome.status, begun);
      assert.equal(payments(), before + 1);
      assert.partialDeepStrictEqual(outcome, { transaction_id: fake.payments.at(-1)!.id });
    });

    test('the same key again pays nothing and names the same payment', async () => {
      const [one, before] = [payout(), payments()];
      const first = await keep(pay(one));
      const second = await keep(pay({ ...one, repeated: true }));
      assert.deepEqual(second, first);
      assert.equal(payments(), before + 1);
    });

    test('ten concurrent calls pay once', async () => {
      const [one, before] = [payout(), payments()];
      await Promise.all(Array.from({ length: 10 }, () => keep(pay(one))));
      assert.equal(payments(), before + 1);
    });

    for (const behaviour of ['reset-after', 'malformed', 'strange', 'huge'] as const) {
      test(`${behaviour}: unknown, and one payment in total after the follow-up`, async () => {
        const [one, before] = [payout(), payments()];
        fake.next(behaviour);
        assert.equal((await keep(pay(one))).status, 'unknown');
        const asked = await keep(ask(one));
        assert.equal(asked.status, findsWithoutId ? begun : 'absent');
        assert.equal((await keep(pay({ ...one, repeated: true }))).status, begun);
        assert.equal(payments(), before + 1);
      });
    }

    for (const behaviour of [
      'server-error',
      'too-many-requests',
      'conflict',
      'redirect',
      'reset-before',
    ] as const) {
      test(`${behaviour}: unknown, then absent, then paid once`, async () => {
        const [one, before] = [payout(), payments()];
        fake.next(behaviour);
        assert.equal((await keep(pay(one))).status, 'unknown');
        assert.equal((await keep(ask(one))).status, 'absent');
        assert.equal(payments(), before);
        assert.equal((await keep(pay({ ...one, repeated: true }))).status, begun);
        assert.equal(payments(), before + 1);
      });
    }

    test('no answer in time: unknown', async () => {
      fake.next('hang');
      const outcome = await keep(open({ timeoutMs: IMPATIENT_MS }).pay(payout()));
      // On a busy machine the time may end before the request that hangs.
      fake.behave();
      assert.equal(outcome.status, 'unknown');
    });

    test('refused: failed, with a reason', async () => {
      const before = payments();
      fake.next('decline');
      const outcome = await keep(pay(payout()));
      assert.ok(outcome.status === 'failed');
      assert.match(outcome.reason, /^[A-Z].*\.$/);
      assert.ok(
        finalFailures.some((code) => code === outcome.code),
        "for a reason on the receiver's side",
      );
      assert.equal(payments(), before);
    });

    for (const [what, code, error] of [
      ['wrong credentials', 'credentials', undefined],
      ['credentials that may not pay', 'not_permitted', 'forbidden'],
      ['an empty balance', 'balance', 'empty-balance'],
    ] as const) {
      test(`${what}: failed for a reason on the store's side`, async () => {
        const before = payments();
        if (error) fake.next(error);
        const outcome = await keep(open({ wrongCredentials: !error }).pay(payout()));
        assert.partialDeepStrictEqual(outcome, { status: 'failed', code });
        assert.equal(payments(), before);
      });
    }

    test('no redirect was followed', () => {
      assert.ok(!fake.requests.some((request) => request.includes('elsewhere')));
    });
  });

  describe('ask', () => {
    async function paid(): Promise<GatewayPayout> {
      const one = payout();
      const outcome = await pay(one);
      assert.ok(outcome.status === 'paid' || outcome.status === 'created');
      return { ...one, transaction_id: outcome.transaction_id };
    }

    test('returns the outcome of a payment', async () => {
      const one = await paid();
      const before = payments();
      const outcome = await keep(ask(one));
      assert.partialDeepStrictEqual(outcome, {
        status: begun,
        transaction_id: one.transaction_id,
      });
      assert.equal(payments(), before);
    });

    test('a payment that was never attempted is absent', async () => {
      assert.deepEqual(await keep(ask(payout())), { status: 'absent' });
    });

    test('an id that the service does not know: unknown', async () => {
      const outcome = await keep(ask(payout({ transaction_id: '99' })));
      assert.equal(outcome.status, 'unknown');
    });

    test('wrong credentials: unknown', async () => {
      const outcome = await keep(open({ wrongCredentials: true }).ask(await paid()));
      assert.partialDeepStrictEqual(outcome, { status: 'unknown', code: 'credentials' });
    });

    for (const [behaviour, code] of [
      ['forbidden', 'not_permitted'],
      ['too-many-requests', 'rate_limited'],
      ['server-error', 'unreachable'],
      ['reset-before', 'unreachable'],
    ] as const) {
      test(`${behaviour}: unknown because of ${code}`, async () => {
        const one = await paid();
        fake.next(behaviour, 'ask');
        assert.partialDeepStrictEqual(await keep(ask(one)), { status: 'unknown', code });
      });
    }

    for (const behaviour of [
      'decline',
      'server-error',
      'too-many-requests',
      'reset-after',
      'malformed',
      'strange',
      'redirect',
      'huge',
    ] as const satisfies Behaviour[]) {
      test(`${behaviour}: unknown, never failed`, async () => {
        const one = await paid();
        fake.next(behaviour, 'ask' satisfies Step);
        assert.equal((await keep(ask(one))).status, 'unknown');
      });
    }

    test('no answer in time: unknown', async () => {
      const one = await paid();
      fake.next('hang', 'ask');
      const outcome = await keep(open({ timeoutMs: IMPATIENT_MS }).ask(one));
      fake.behave();
      assert.equal(outcome.status, 'unknown');
    });
  });

  test('a service that cannot be reached: unknown', async () => {
    await fake.close();
    assert.equal((await keep(pay(payout()))).status, 'unknown');
    assert.equal((await keep(ask(payout({ transaction_id: '99' })))).status, 'unknown');
  });

  test('no outcome contains a secret or a destination', () => {
    assert.ok(outcomes.length > 30);
    const text = JSON.stringify(outcomes);
    const hidden = [...gateway.secrets, ...Object.values(details).map(String)];
    for (const secret of hidden) assert.ok(!text.includes(secret), secret);
  });

  test('an unknown outcome has a reason', () => {
    const unknown = outcomes.filter((outcome) => outcome.status === 'unknown');
    for (const { reason } of unknown) assert.match(reason ?? '', /^\w+: [a-z].*\.$/);
    const reasons = unknown.map(({ reason }) => reason).join(' ');
    assert.match(reasons, /no answer in time.*it answered HTTP 500|HTTP 500.*no answer in time/);
    assert.match(reasons, /the answer is too large/);
  });
}
