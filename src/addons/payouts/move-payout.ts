import type { Transaction } from '../../db/database.ts';
import { ApiError, defineError } from '../../kernel/errors.ts';
import type { EventDefinition } from '../../kernel/event.ts';
import type { Site } from '../../kernel/site.ts';
import { emit } from '../../modules/events/index.ts';
import { post, setAside } from '../../modules/ledger/index.ts';
import { moveDays } from './payout-days.ts';
import { payoutRequested } from './payout-events.ts';
import { mailAffiliate } from './payout-mails.ts';
import { writeStatus, type PayoutRow } from './payout-store.ts';
import { poolOf, type PayoutStatus } from './transitions.ts';

export const conflict = defineError(
  'svc_api_conflict',
  409,
  'The payout was changed by somebody else at the same moment.',
);

export const insufficientUnpaid = defineError(
  'svc_api_insufficient_unpaid',
  409,
  'The unpaid balance no longer holds the amount of this payout.',
);

/** Who moves a payout, and what they know about it. */
export interface Move {
  readonly actorId: number;
  readonly nowMs: number;
  readonly reason?: string;
  readonly transactionId?: string;
  /** When its gateway is to be asked next; nobody asks when it is not said. */
  readonly askAt?: number;
}

/** The one place where a payout changes its status: money, sums, event and mail go with it. */
export async function movePayout(
  tx: Transaction,
  site: Site,
  payout: PayoutRow,
  to: PayoutStatus,
  event: EventDefinition,
  move: Move,
): Promise<PayoutRow> {
  const { nowMs } = move;
  const moved: PayoutRow = {
    ...payout,
    status: to,
    transaction_id: move.transactionId ?? payout.transaction_id,
    paid_at: to === 'paid' ? nowMs : null,
    paid_day: to === 'paid' ? site.calendar.dayOf(nowMs) : null,
    ask_at: move.askAt ?? null,
    asks: 0,
    leased_until: 0,
  };
  if (!(await writeStatus(tx, { ...moved, from: payout.status }))) throw new ApiError(conflict);
  await moveMoney(tx, payout, to, move);
  await moveDays(tx, site, payout, moved);
  await tellPayout(tx, site, moved, event, payout.status, move);
  return moved;
}

async function moveMoney(
  tx: Transaction,
  payout: PayoutRow,
  to: PayoutStatus,
  { actorId, nowMs, reason }: Move,
): Promise<void> {
  const [fromPool, toPool] = [poolOf[payout.status as PayoutStatus], poolOf[to]];
  if (fromPool === toPool) return;
  const movement = {
    couponId: payout.coupon_id,
    amount: payout.amount,
    kind: 'payout' as const,
    orderId: null,
    userId: actorId,
    note: `Payout ${payout.id}: ${payout.status} to ${to}${reason ? ` (${reason})` : ''}`,
    nowMs,
  };
  if (fromPool !== 'unpaid') await post(tx, { ...movement, from: fromPool, to: toPool });
  else if (!(await setAside(tx, movement))) throw new ApiError(insufficientUnpaid);
}

/** Tells the feed and the affiliate. */
export async function tellPayout(
  tx: Transaction,
  site: Site,
  payout: PayoutRow,
  event: EventDefinition,
  from: string | null,
  { actorId, nowMs, reason }: Move,
): Promise<void> {
  const amount = site.currency.toMajor(payout.amount);
  await emit(tx, event as typeof payoutRequested, {
    objectId: payout.id,
    userId: actorId,
    info: `Payout ${payout.id} of ${amount} ${site.currency.code} for coupon ${payout.coupon_id}: ${payout.status}${reason ? ` (${reason})` : ''}.`,
    data: {
      payout_id: payout.id,
      user_id: payout.user_id,
      coupon_id: payout.coupon_id,
      amount,
      method_type: payout.method_type,
      status: payout.status,
      from,
      date: site.calendar.toLocal(payout.requested_at),
      date_paid: site.calendar.toLocal(payout.paid_at),
    },
    nowMs,
  });
  await mailAffiliate(tx, site, payout, event, { nowMs, ...(reason && { reason }) });
}
