import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exampleBody, type EventDefinition } from '../../../src/kernel/declare/event.ts';
import { payoutEvents } from '../payout/payout-events.ts';
import type { PayoutStatus } from '../payout/payout-status.ts';
import { findTransition } from '../payout/transitions.ts';

/** All examples, oldest event first: together they describe one history. */
const history = payoutEvents
  .map((event) => ({
    ...exampleBody(event),
    data: event.example.data as Record<string, any>,
    event,
  }))
  .sort((a, b) => a.id - b.id);

test('a payout has the same amount, coupon and date in all examples, and its statuses are consecutive', () => {
  const payouts = new Map<number, Record<string, any>>();
  for (const { type, data, event } of history) {
    if (event.kind !== 'payout') continue;
    const { payout_id, user_id, coupon_id, amount, method_type, date } = data;
    const before = payouts.get(payout_id);
    if (before) {
      assert.partialDeepStrictEqual(before, { user_id, coupon_id, amount, method_type, date });
      assert.equal(data['from'], before['status'], `${type}: from`);
    }
    assert.equal(eventOf(data)?.name, type, `${data['from']} to ${data['status']}`);
    assert.equal(data['date_paid'] !== null, data['status'] === 'paid', `${type}: date_paid`);
    payouts.set(payout_id, data);
  }
  assert.ok(payouts.size > 0);
});

/** The example of a payout's change from one status to another. */
function eventOf(data: Record<string, any>): EventDefinition | undefined {
  const from = data['from'] as PayoutStatus | null;
  const to = data['status'] as PayoutStatus;
  const found = (['request', 'admin', 'gateway'] as const).map((source) =>
    findTransition(source, from, to),
  );
  return found.find((transition) => transition !== undefined)?.event;
}
