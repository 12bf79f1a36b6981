import type { Selectable } from 'kysely';
import type { Reader, Transaction } from '../../db/database.ts';
import { query } from '../../db/query.ts';
import type { JournalTable } from '../../db/tables.ts';

/**
 * Where money stands. `earned` is the store's side of every commission; the other four are the
 * coupon's, and what they hold together is what the coupon has earned.
 */
export const pools = ['earned', 'awaiting', 'unpaid', 'pending_payout', 'paid'] as const;
export type Pool = (typeof pools)[number];
type CouponPool = Exclude<Pool, 'earned'>;

/** What a movement comes from. */
export const kinds = ['order', 'adjustment', 'payout'] as const;

export type JournalRow = Selectable<JournalTable>;

/** A movement from one pool to another, in minor units. */
export interface Movement {
  couponId: number;
  from: Pool;
  to: Pool;
  /** A negative amount moves the other way; zero moves nothing. */
  amount: number;
  kind: (typeof kinds)[number];
  orderId: number | null;
  userId: number;
  note: string;
  nowMs: number;
}

type Balances = Record<CouponPool, number>;

const move = query<{ coupon_id: number } & Balances>((db, p) =>
  db
    .updateTable('coupons')
    .set((eb) => ({
      unpaid: eb('unpaid', '+', p.unpaid),
      awaiting: eb('awaiting', '+', p.awaiting),
      pending_payout: eb('pending_payout', '+', p.pending_payout),
      paid: eb('paid', '+', p.paid),
    }))
    .where('id', '=', p.coupon_id),
);

const moveFromUnpaid = query<{ coupon_id: number; amount: number; pending_payout: number }>(
  (db, p) =>
    db
      .updateTable('coupons')
      .set((eb) => ({
        unpaid: eb('unpaid', '-', p.amount),
        pending_payout: eb('pending_payout', '+', p.pending_payout),
      }))
      .where('id', '=', p.coupon_id)
      .where('unpaid', '>=', p.amount),
);

/** Asked for after the change: `returning` was measured to cost four times as much as both. */
const balancesOf = query<{ coupon_id: number }, Balances>((db, p) =>
  db
    .selectFrom('coupons')
    .select(['unpaid', 'awaiting', 'pending_payout', 'paid'])
    .where('id', '=', p.coupon_id),
);

const insert = query<Omit<JournalRow, 'id'>>((db, p) =>
  db.insertInto('journal').values({
    coupon_id: p.coupon_id,
    from_pool: p.from_pool,
    to_pool: p.to_pool,
    amount: p.amount,
    kind: p.kind,
    order_id: p.order_id as number,
    user_id: p.user_id,
    note: p.note,
    created_at: p.created_at,
    unpaid_after: p.unpaid_after,
    awaiting_after: p.awaiting_after,
    pending_payout_after: p.pending_payout_after,
    paid_after: p.paid_after,
  }),
);

/** Writes a movement into the journal and moves the balances with it. */
export async function post(tx: Transaction, movement: Movement): Promise<void> {
  if (movement.amount === 0) return;
  const [from, to] =
    movement.amount > 0 ? [movement.from, movement.to] : [movement.to, movement.from];
  const amount = Math.abs(movement.amount);
  const change = { unpaid: 0, awaiting: 0, pending_payout: 0, paid: 0 };
  if (from !== 'earned') change[from] -= amount;
  if (to !== 'earned') change[to] += amount;
  await tx.run(move, { coupon_id: movement.couponId, ...change });
  await record(tx, movement, from, to, amount);
}

/**
 * Sets unpaid money aside for a payout, and tells whether there was as much: the balance is compared
 * and lowered in one step, so that of two payouts that want the same money one goes without.
 */
export async function setAside(
  tx: Transaction,
  movement: Omit<Movement, 'from' | 'to'>,
): Promise<boolean> {
  const { couponId, amount } = movement;
  const moved = await tx.run(moveFromUnpaid, {
    coupon_id: couponId,
    amount,
    pending_payout: amount,
  });
  if (moved === 0) return false;
  await record(tx, movement, 'unpaid', 'pending_payout', amount);
  return true;
}

async function record(
  tx: Transaction,
  movement: Omit<Movement, 'from' | 'to'>,
  from: Pool,
  to: Pool,
  amount: number,
): Promise<void> {
  const after = (await tx.first(balancesOf, { coupon_id: movement.couponId }))!;
  await tx.run(insert, {
    coupon_id: movement.couponId,
    from_pool: from,
    to_pool: to,
    amount,
    kind: movement.kind,
    order_id: movement.orderId,
    user_id: movement.userId,
    note: movement.note,
    created_at: movement.nowMs,
    unpaid_after: after.unpaid,
    awaiting_after: after.awaiting,
    pending_payout_after: after.pending_payout,
    paid_after: after.paid,
  });
}

const countOf = query<{ coupon_id: number }, { total: number }>((db, p) =>
  db
    .selectFrom('journal')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where('coupon_id', '=', p.coupon_id),
);

const pageOf = query<{ coupon_id: number; limit: number; offset: number }, JournalRow>((db, p) =>
  db
    .selectFrom('journal')
    .selectAll()
    .where('coupon_id', '=', p.coupon_id)
    .orderBy('id', 'desc')
    .limit(p.limit)
    .offset(p.offset),
);

export async function countEntries(db: Reader, couponId: number): Promise<number> {
  return (await db.first(countOf, { coupon_id: couponId }))!.total;
}

export function listEntries(
  db: Reader,
  couponId: number,
  page: { limit: number; offset: number },
): Promise<JournalRow[]> {
  return db.all(pageOf, { coupon_id: couponId, ...page });
}
