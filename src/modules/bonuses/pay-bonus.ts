import type { Transaction } from '../../db/database.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { HOUR_MS, DAY_MS } from '../../shared/durations.ts';
import { emitCommission, postEarnings } from '../ledger/index.ts';
import { delayDays } from '../orders/index.ts';
import { emitPayment } from './bonus-events.ts';
import { reversalOf } from './bonus-reason.ts';
import { savePayment } from './payment-rows.ts';
import type { Payment } from './tables.ts';

/** What a payment has brought its coupon, by the pools of the ledger. */
function earningsOf({ state, amount }: Payment): { awaiting: number; granted: number } {
  return {
    awaiting: state === 'held' ? amount : 0,
    granted: state === 'granted' ? amount : 0,
  };
}

/** Brings the ledger from one state of a payment to the next and saves it, with its events. */
function settle(
  tx: Transaction,
  site: Site,
  before: Payment | undefined,
  after: Payment,
  nowMs: number,
): Payment {
  const { coupon_id: couponId, user_id: ownerId, reason: note } = after;
  const earned = earningsOf(after);
  const account = { couponId, ownerId };
  const entry = { ...account, kind: 'bonus' as const, orderId: null, userId: 0, note, nowMs };
  postEarnings(tx, before && earningsOf(before), earned, entry);
  if (before?.state !== 'held' || after.state === 'reversed') emitPayment(tx, site, after, nowMs);
  const amountMinor = earned.granted;
  emitCommission(tx, site, {
    couponId,
    ownerId,
    orderId: null,
    amountMinor,
    note,
    actorId: 0,
    nowMs,
  });
  return savePayment(tx, after);
}

export type NewPayment = Omit<Payment, 'state' | 'reached_at' | 'release_at'>;

/** Pays a bonus: held for as long as commission is, and for as long as orders that it depends on are in review. */
export function payBonus(
  tx: Transaction,
  site: Site,
  payment: NewPayment,
  { isInReview, nowMs }: { readonly isInReview: boolean; readonly nowMs: number },
): Payment {
  const delayMs = Math.max(site.settings.get(delayDays) * DAY_MS, isInReview ? HOUR_MS : 0);
  const paid: Payment = {
    ...payment,
    state: delayMs > 0 ? 'held' : 'granted',
    reached_at: nowMs,
    release_at: delayMs > 0 ? nowMs + delayMs : null,
  };
  return settle(tx, site, undefined, paid, nowMs);
}

/** Holds a payment for another hour: it depends on orders in review. */
export function holdLonger(tx: Transaction, held: Payment, nowMs: number): Payment {
  return savePayment(tx, { ...held, release_at: nowMs + HOUR_MS });
}

/** Makes a held payment payable: from now on it stays. */
export function grantBonus(tx: Transaction, site: Site, held: Payment, nowMs: number): Payment {
  return settle(tx, site, held, { ...held, state: 'granted', release_at: null }, nowMs);
}

/** Takes a held payment back, because its goal is no longer reached. */
export function reverseBonus(tx: Transaction, site: Site, held: Payment, nowMs: number): Payment {
  const reason = reversalOf(site, held.reason);
  const reversed: Payment = { ...held, state: 'reversed', release_at: null, reason };
  return settle(tx, site, held, reversed, nowMs);
}
