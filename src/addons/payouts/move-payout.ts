import type { Transaction } from '../../db/database.ts';
import { ApiError, defineError } from '../../kernel/declare/errors.ts';
import type { EventDefinition } from '../../kernel/declare/event.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { post, setAside } from '../../modules/ledger/index.ts';
import type { Failure } from './payment/failure-reason.ts';
import { moveDays } from './payout-days.ts';
import { PayoutNews } from './payout-news.ts';
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
  /** With `failed`: why. */
  readonly failure?: Failure;
  /** Why, for the change feed alone. */
  readonly note?: string;
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
    unclear_since: null,
    unclear_reason: null,
    reported_at: null,
    failure_code: to === 'failed' ? (move.failure?.code ?? 'not_paid') : null,
    failure_message: to === 'failed' ? (move.failure?.message ?? null) : null,
  };
  if (!(await writeStatus(tx, { ...moved, from: payout.status }))) throw new ApiError(conflict);
  await moveMoney(tx, payout, to, move);
  const news = new PayoutNews(tx, site);
  news.tell(moved, event, { from: payout.status, ...move });
  moveDays(tx, site, { before: payout, after: moved });
  return moved;
}

async function moveMoney(
  tx: Transaction,
  payout: PayoutRow,
  to: PayoutStatus,
  { actorId, nowMs }: Move,
): Promise<void> {
  const [fromPool, toPool] = [poolOf[payout.status as PayoutStatus], poolOf[to]];
  if (fromPool === toPool) return;
  const movement = {
    couponId: payout.coupon_id,
    amount: payout.amount,
    kind: 'payout' as const,
    orderId: null,
    userId: actorId,
    note: `Payout ${payout.id}: ${payout.status} to ${to}`,
    nowMs,
  };
  if (fromPool !== 'unpaid') post(tx, { ...movement, from: fromPool, to: toPool });
  else if (!(await setAside(tx, movement))) throw new ApiError(insufficientUnpaid);
}
