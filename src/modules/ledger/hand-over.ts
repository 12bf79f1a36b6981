import { sql } from 'kysely';
import type { Transaction } from '../../db/database.ts';
import { readAll } from '../../db/statements/calls.ts';
import { Point } from '../../kernel/declare/point.ts';
import { toOwnerId, type HandOver } from '../coupons/index.ts';
import type { LedgerEntry } from './ledger-rows.ts';
import { lockBalances, post } from './ledger.ts';
import type { Pool } from './tables.ts';
import { UnpaidBalance } from './unpaid-balance.ts';

/** Orders whose commission on a coupon is another affiliate's from now on, or 0 for none, with all that follows from them. */
interface MovedOrders {
  readonly couponId: number;
  readonly from: number;
  readonly to: number;
  readonly orderIds: readonly number[];
}

/** Assigns what a module has of these orders to the other account, so that later changes are posted there. */
type MoveOrders = (tx: Transaction, moved: MovedOrders) => Promise<void>;

export const orderMoves = new Point<MoveOrders>('ledger.order-moves');

/** Which orders on a coupon stay with its former affiliate: what has to be decided about them concerns that one. */
type OrdersThatStay = (tx: Transaction, couponId: number) => Promise<number[]>;

export const ordersThatStay = new Point<OrdersThatStay>('ledger.orders-that-stay');

type Movement = Pick<
  LedgerEntry,
  'id' | 'from_pool' | 'to_pool' | 'amount' | 'order_id' | 'payout_id'
>;

const ENTRIES_AT_ONCE = 1_000;

const movementsOf = readAll<{ coupon_id: number; owner_id: number; after: number }, Movement>(
  (db, p) =>
    db
      .selectFrom('ledger')
      .select(['id', 'from_pool', 'to_pool', 'amount', 'order_id', 'payout_id'])
      .where('coupon_id', '=', p.coupon_id)
      .where(sql<boolean>`+owner_id = ${p.owner_id}`)
      .where('id', '>', p.after)
      .orderBy('id')
      .limit(sql.lit(ENTRIES_AT_ONCE)),
);

/** What of an account can move: by order, what is unpaid and what is awaiting. */
interface Movable {
  /** Of the orders of which nothing was paid out. */
  readonly unpaid: Map<number, number>;
  readonly awaiting: Map<number, number>;
}

/** Plays the entries of an account again, in pieces: a large one has very many. */
async function movableOf(
  tx: Transaction,
  account: { coupon_id: number; owner_id: number },
): Promise<Movable> {
  const balance = new UnpaidBalance();
  const earned = new Map<number, number>();
  const awaiting = new Map<number, number>();
  const add = (sums: Map<number, number>, orderId: number | null, amount: number) =>
    orderId !== null && amount !== 0 && sums.set(orderId, (sums.get(orderId) ?? 0) + amount);
  let after = 0;
  for (;;) {
    const entries = await movementsOf(tx, { ...account, after });
    for (const entry of entries) {
      const { order_id, payout_id } = entry;
      add(awaiting, order_id, changeOf(entry, 'awaiting'));
      const unpaid = changeOf(entry, 'unpaid');
      if (unpaid === 0) continue;
      if (payout_id === null) balance.add(order_id ?? `entry ${entry.id}`, unpaid);
      else if (unpaid < 0) balance.take(payout_id, -unpaid);
      else balance.giveBack(payout_id, unpaid);
      if (payout_id === null) add(earned, order_id, unpaid);
    }
    if (entries.length < ENTRIES_AT_ONCE) break;
    after = entries.at(-1)!.id;
  }
  const left = balance.left();
  return {
    unpaid: only(earned, (orderId, amount) => amount > 0 && left.get(orderId) === amount),
    awaiting: only(awaiting, (_, amount) => amount > 0),
  };
}

function changeOf({ from_pool, to_pool, amount }: Movement, pool: Pool): number {
  if (to_pool === pool) return amount;
  return from_pool === pool ? -amount : 0;
}

function only(sums: Map<number, number>, isWanted: (orderId: number, amount: number) => boolean) {
  return new Map([...sums].filter(([orderId, amount]) => isWanted(orderId, amount)));
}

/**
 * Moves what is unpaid and awaiting on a coupon to the account of its next affiliate, each order with an entry of its
 * own, so that a later refund or release is posted where the money is. Held bonuses stay with the affiliate that they
 * were promised to, commission in review with the one whom the case asks, and so does a debt.
 */
export const moveBalance: HandOver = async (tx, site, coupon, { to, actorId, nowMs }) => {
  const { id: couponId, user_id: from, unpaid } = coupon;
  await lockBalances(tx, [couponId]);
  const movable = await movableOf(tx, { coupon_id: couponId, owner_id: toOwnerId(from) });
  for (const find of site.registry.allContributions(ordersThatStay)) {
    for (const orderId of await find(tx, couponId)) movable.awaiting.delete(orderId);
  }
  const hands = { couponId, kind: 'hand_over' as const, userId: actorId, nowMs };
  const note = `Coupon ${coupon.code} changed hands`;
  const move = (pool: 'unpaid' | 'awaiting', orderId: number | null, amount: number) => {
    const entry = { ...hands, orderId, amount, note: orderId ? `${note}: order ${orderId}` : note };
    post(tx, { ...entry, ownerId: from, otherOwnerId: to, from: pool, to: 'earned' });
    post(tx, { ...entry, ownerId: to, otherOwnerId: from, from: 'earned', to: pool });
    return amount;
  };
  let waiting = 0;
  for (const [orderId, amount] of movable.awaiting) waiting += move('awaiting', orderId, amount);
  if (unpaid > 0) {
    let rest = unpaid;
    for (const [orderId, amount] of movable.unpaid) rest -= move('unpaid', orderId, amount);
    move('unpaid', null, rest);
  } else movable.unpaid.clear();
  const orderIds = [...new Set([...movable.awaiting.keys(), ...movable.unpaid.keys()])];
  if (orderIds.length > 0) {
    const moved = { couponId, from: toOwnerId(from), to: toOwnerId(to), orderIds };
    for (const follow of site.registry.allContributions(orderMoves)) await follow(tx, moved);
  }
  return { unpaid: Math.max(unpaid, 0), awaiting: waiting };
};
