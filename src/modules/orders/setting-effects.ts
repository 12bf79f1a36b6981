import { sql } from 'kysely';
import { readCount } from '../../db/lists/paged-list.ts';
import { defineEffect } from '../../kernel/declare/setting-effect.ts';
import { countOf } from '../../shared/count-of.ts';
import { DAY_MS } from '../../shared/durations.ts';
import { UNTIL_DECIDED } from './restraints.ts';
import {
  countedStatuses,
  delayDays,
  grantedStatuses,
  maxPerOrder,
  orderStatuses,
  severalAffiliates,
} from './settings.ts';

/** Counted in the index `referrals_by_release`. */
const held = readCount((db) =>
  db.selectFrom('referrals').where('release_at', '<', sql.lit(UNTIL_DECIDED)),
);

const delayEffect = defineEffect(delayDays, async ({ db, after }) => {
  const count = await held(db, {});
  const rule =
    after === 0
      ? 'New commissions are available as soon as they are payable.'
      : `New commissions are held for ${countOf(after, 'day')}.`;
  const kept = count === 1 ? 'keeps its date' : 'keep their dates';
  return {
    count,
    text: count === 0 ? rule : `${rule} ${countOf(count, 'commission')} on hold ${kept}.`,
  };
});

const countedEffect = defineEffect(countedStatuses, () => ({
  text: 'Figures of all orders are computed again in the background, orders so far included.',
}));

const grantedEffect = defineEffect(grantedStatuses, () => ({
  text: 'Applies when an order is sent or changed; no commission is granted or taken back now.',
}));

const maximumEffect = defineEffect(maxPerOrder, ({ after }) => ({
  text:
    after === 0
      ? 'New orders earn without a limit; orders so far keep their commission.'
      : 'Applies to new orders; orders so far keep their commission.',
}));

const DAYS = 90;

/** In the index of the orders by status and date; the referrals of an order stand side by side. */
const creditedToSeveral = readCount((db, p: { since: number }) =>
  db.selectFrom(
    db
      .selectFrom('orders')
      .innerJoin('referrals', 'referrals.order_id', 'orders.order_id')
      .select('orders.order_id')
      .where('orders.status', 'in', orderStatuses)
      .where('orders.placed_at', '>=', p.since)
      .where('referrals.dropped', '=', sql.lit(0))
      .groupBy('orders.order_id')
      .having((eb) => eb(eb.fn.count('referrals.user_id').distinct(), '>', sql.lit(1)))
      .as('several'),
  ),
);

const severalEffect = defineEffect(severalAffiliates, async ({ db, before, nowMs }) => {
  const count = await creditedToSeveral(db, { since: nowMs - DAYS * DAY_MS });
  const orders = count === 1 ? '1 order was' : `${count} orders were`;
  // With this value, the orders say nothing about the other coupons.
  const hidden =
    before === 'first' ? ' While "first" was chosen, orders were credited to one alone.' : '';
  return {
    count,
    text: `In the last ${DAYS} days, ${orders} credited to several affiliates.${hidden} Applies to new orders.`,
  };
});

export const orderEffects = [
  delayEffect,
  countedEffect,
  grantedEffect,
  maximumEffect,
  severalEffect,
];
