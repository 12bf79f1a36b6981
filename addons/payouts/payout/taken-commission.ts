import { sql } from 'kysely';
import type { Transaction } from '../../../src/db/database.ts';
import { readAll, readByNumbers, readOne } from '../../../src/db/statements/calls.ts';
import { jsonList } from '../../../src/db/statements/rows-query.ts';
import {
  UnpaidBalance,
  type FindTakenCommission,
  type Pool,
  type TakenCommission,
} from '../../../src/modules/ledger/index.ts';
import { lockPayoutRows } from '../files/collect-payments.ts';
import { lockPayout } from './payout-rows.ts';
import type { PayoutStatus } from './payout-status.ts';

/** A page takes some milliseconds to read. */
const ENTRIES_AT_ONCE = 500;

interface Movement {
  id: number;
  from_pool: Pool;
  to_pool: Pool;
  amount: number;
  order_id: number | null;
  payout_id: number | null;
  unpaid_after: number;
  owner_id: number;
}

/** No entry of these orders on the coupon is older. The sum keeps it on the index of accounts and times. */
const firstOf = readOne<{ coupon_id: number; order_ids: string }, { id: number | null }>(
  (db, p, _given, dialect) =>
    db
      .selectFrom('ledger')
      .select(sql<number | null>`min(id + 0)`.as('id'))
      .where('coupon_id', '=', p.coupon_id)
      .where('owner_id', 'in', (eb) =>
        eb
          .selectFrom('coupons')
          .select(sql<number>`coalesce(user_id, 0)`.as('user_id'))
          .where('id', '=', p.coupon_id)
          .unionAll(
            eb.selectFrom('former_accounts').select('user_id').where('coupon_id', '=', p.coupon_id),
          ),
      )
      .where('created_at', '>=', (eb) =>
        eb
          .selectFrom('orders')
          .select((inner) => inner.fn.min<number>('created_at').as('since'))
          .where(dialect.inJsonArray('order_id', p.order_ids, 'number')),
      ),
);

/** What has moved into and out of the unpaid balances of a coupon, oldest first. */
const movementsFrom = readAll<{ coupon_id: number; first: number }, Movement>((db, p) =>
  db
    .selectFrom('ledger')
    .select(['id', 'from_pool', 'to_pool', 'amount', 'order_id', 'payout_id', 'unpaid_after'])
    .select('owner_id')
    .where('coupon_id', '=', p.coupon_id)
    .where('id', '>=', p.first)
    .where(sql<boolean>`(from_pool = 'unpaid' or to_pool = 'unpaid')`)
    .orderBy('id')
    .limit(sql.lit(ENTRIES_AT_ONCE)),
);

interface Taking {
  id: number;
  status: PayoutStatus;
  ask_at: number | null;
  pay_attempts: number;
  files: number;
}

const findTakings = readByNumbers<Taking>((db, isKey) =>
  db
    .selectFrom('payouts')
    .select((eb) => [
      'id',
      'status',
      'ask_at',
      'pay_attempts',
      eb
        .selectFrom('payout_file_items')
        .select((inner) => inner.fn.countAll<number>().as('count'))
        .whereRef('payout_file_items.payout_id', '=', 'payouts.id')
        .as('files'),
    ])
    .where(isKey('id')),
);

/** Both locks: changes of the status take the first, and files for a bank the second. */
async function lockTakings(tx: Transaction, ids: readonly number[]): Promise<void> {
  for (const id of ids.toSorted((a, b) => a - b)) await lockPayout(tx, id);
  await lockPayoutRows(tx, ids);
}

/** Plays the entries of the coupon again, once for all orders. */
export const findTakenCommission: FindTakenCommission = async (tx, { coupon_id, orderIds }) => {
  const balances = await play(tx, coupon_id, orderIds);
  const parts = balances.flatMap((balance) => balance.takenOf(orderIds));
  const ids = [...new Set(parts.map(({ payoutId }) => payoutId))];
  await lockTakings(tx, ids);
  const payouts = new Map((await findTakings(tx, ids)).map((one) => [one.id, one]));
  const found = new Map<number, TakenCommission>();
  for (const [orderId, own] of Map.groupBy(parts, ({ source }) => source)) {
    const unsent: number[] = [];
    let sent = 0;
    for (const { payoutId, amount } of own) {
      // A payout that has made up for something that was taken back is so much smaller.
      if (amount < 0 || isSent(payouts.get(payoutId)!)) sent += amount;
      else unsent.push(payoutId);
    }
    found.set(orderId, { sent, unsent });
  }
  return found;
};

async function play(
  tx: Transaction,
  coupon_id: number,
  orderIds: ReadonlySet<number>,
): Promise<UnpaidBalance[]> {
  // By affiliate: each has an account of its own.
  const balances = new Map<number, UnpaidBalance>();
  const start = await firstOf(tx, { coupon_id, order_ids: jsonList([...orderIds]) });
  let first = start.id;
  while (first !== null) {
    const page = await movementsFrom(tx, { coupon_id, first });
    for (const movement of page) {
      let balance = balances.get(movement.owner_id);
      if (!balance) {
        balance = new UnpaidBalance();
        balance.begin(before(movement));
        balances.set(movement.owner_id, balance);
      }
      apply(balance, movement);
    }
    first = page.length < ENTRIES_AT_ONCE ? null : page.at(-1)!.id + 1;
  }
  return [...balances.values()];
}

function before({ from_pool, amount, unpaid_after }: Movement): number {
  return from_pool === 'unpaid' ? unpaid_after + amount : unpaid_after - amount;
}

function apply(balance: UnpaidBalance, { id, from_pool, amount, order_id, payout_id }: Movement) {
  const isTaken = from_pool === 'unpaid';
  if (payout_id === null) {
    balance.add(order_id ?? `entry ${id}`, isTaken ? -amount : amount);
  } else if (isTaken) balance.take(payout_id, amount);
  else balance.giveBack(payout_id, amount);
}

function isSent({ status, ask_at, pay_attempts, files }: Taking): boolean {
  if (status === 'pending') return pay_attempts > 0;
  return status !== 'created' || ask_at !== null || pay_attempts > 0 || Number(files) > 0;
}
