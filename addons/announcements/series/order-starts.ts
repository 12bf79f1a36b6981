import { sql } from 'kysely';
import type { Reader, Transaction } from '../../../src/db/database.ts';
import { readByNumbers } from '../../../src/db/statements/calls.ts';
import type { Site } from '../../../src/kernel/declare/site.ts';
import { Counters } from '../../../src/modules/bonuses/index.ts';
import { firstOrdersOf } from '../../../src/modules/coupons/index.ts';
import { activeRules, countsMoney, windowAt } from '../../../src/modules/rewards/index.ts';
import { LATE_MS, type Entrant } from './membership.ts';

/** An event about an order of an affiliate. */
export interface OrderEvent {
  readonly userId: number;
  readonly orderId: number;
  readonly atMs: number;
}

/** Whose first order is among these new ones. An order that was placed long ago, as in an import, is not news. */
export async function firstOrders(db: Reader, created: readonly OrderEvent[]): Promise<Entrant[]> {
  if (created.length === 0) return [];
  const firsts = new Map<number, { orderId: number; placedAt: number }>();
  for (const row of await firstOrdersOf(db, [...new Set(created.map((one) => one.userId))])) {
    const known = firsts.get(row.user_id);
    if (known && known.placedAt <= row.placed_at) continue;
    firsts.set(row.user_id, { orderId: row.order_id, placedAt: row.placed_at });
  }
  return created.filter(({ userId, orderId, atMs }) => {
    const first = firsts.get(userId);
    return first?.orderId === orderId && first.placedAt > atMs - LATE_MS;
  });
}

interface CountedReferral {
  order_id: number;
  user_id: number;
  day: string;
  facts: string | null;
}

const referralsOf = readByNumbers<CountedReferral>((db, isKey) =>
  db
    .selectFrom('referrals')
    .select(['order_id', 'user_id', 'day', 'facts'])
    .where(isKey('order_id'))
    .where('dropped', '=', sql.lit(0)),
);

/**
 * Finds affiliates who have reached a higher step of a reward rule by these orders: before the order the counter was below it, as the
 * referral has stored, and now it is not. All counters of a window are read together.
 */
export async function stepsReached(
  tx: Transaction,
  site: Site,
  changed: readonly OrderEvent[],
): Promise<Entrant[]> {
  const rules = (await activeRules(site)).rules.flatMap(({ id, rate: { steps } }) =>
    steps ? [{ id, ...steps }] : [],
  );
  if (rules.length === 0 || changed.length === 0) return [];
  const atMs = new Map(changed.map((one) => [one.orderId, one.atMs]));
  const moves = (await referralsOf(tx, [...atMs.keys()])).flatMap((referral) => {
    const counters = countersIn(referral.facts);
    return rules.flatMap(({ id, by, counts, window, steps }) => {
      const before = counters[id];
      if (before === undefined) return [];
      return [{ referral, before, steps, by, counts, ...windowAt(window, referral.day) }];
    });
  });
  const userIds = [...new Set(moves.map(({ referral }) => referral.user_id))];
  const values = await Counters.read(tx, moves, userIds);
  return moves
    .filter(({ referral, before, steps, ...counted }) => {
      const now = values.valueOf(referral.user_id, counted);
      // Amounts were checked against the currency when the rule was saved.
      const stored = (from: number) =>
        countsMoney(counted.by) ? site.currency.toMinor(from)! : from;
      return steps.slice(1).some(({ from }) => before < stored(from) && stored(from) <= now);
    })
    .map(({ referral }) => ({ userId: referral.user_id, atMs: atMs.get(referral.order_id)! }));
}

/** By rule, what the affiliate had collected before an order. */
function countersIn(facts: string | null): Readonly<Record<string, number>> {
  if (facts === null) return {};
  // Only the facts of the referral are stored there.
  return (JSON.parse(facts) as { counters?: Record<string, number> }).counters ?? {};
}
