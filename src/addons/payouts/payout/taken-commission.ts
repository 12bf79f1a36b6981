import { sql } from 'kysely';
import type { Transaction } from '../../../db/database.ts';
import { readAll, readByNumbers } from '../../../db/statements/calls.ts';
import type { FindTakenCommission, Pool } from '../../../modules/ledger/index.ts';
import { lockPayoutRows } from '../files/collect-payments.ts';
import { lockPayout } from './payout-rows.ts';
import type { PayoutStatus } from './payout-status.ts';

interface Movement {
  from_pool: Pool;
  to_pool: Pool;
  amount: number;
  payout_id: number | null;
}

/** What an order, and payouts since then, have moved into and out of the unpaid balance of a coupon, oldest first. */
const movementsOf = readAll<{ coupon_id: number; order_id: number }, Movement>((db, p) =>
  db
    .selectFrom('ledger')
    .select(['from_pool', 'to_pool', 'amount', 'payout_id'])
    .where('coupon_id', '=', p.coupon_id)
    // No entry of the order is older: the index by coupon and time ends the search there.
    .where('created_at', '>=', (eb) =>
      eb.selectFrom('orders').select('created_at').where('order_id', '=', p.order_id),
    )
    .where((eb) => eb.or([eb('order_id', '=', p.order_id), eb('payout_id', 'is not', null)]))
    .where(sql<boolean>`(from_pool = 'unpaid' or to_pool = 'unpaid')`)
    .orderBy('id'),
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

/** Plays the movements again: a payout takes what is there, and gives it back when it is cancelled or fails. */
export const findTakenCommission: FindTakenCommission = async (tx, commission) => {
  let left = 0;
  const taken = new Map<number, number>();
  for (const { from_pool, amount, payout_id } of await movementsOf(tx, commission)) {
    if (payout_id === null) left += from_pool === 'unpaid' ? -amount : amount;
    else if (from_pool === 'unpaid') {
      if (left !== 0) taken.set(payout_id, left);
      left = 0;
    } else {
      left += taken.get(payout_id) ?? 0;
      taken.delete(payout_id);
    }
  }
  await lockTakings(tx, [...taken.keys()]);
  const payouts = await findTakings(tx, [...taken.keys()]);
  const partOf = ({ id }: Taking) => taken.get(id)!;
  // A payout that has made up for something that was taken back is so much smaller.
  const gone = payouts.filter((one) => isSent(one) || partOf(one) < 0);
  const unsent = payouts.filter((one) => !isSent(one) && partOf(one) > 0);
  return {
    sent: gone.reduce((sum, one) => sum + partOf(one), 0),
    unsent: unsent.map(({ id }) => id),
  };
};

function isSent({ status, ask_at, pay_attempts, files }: Taking): boolean {
  if (status === 'pending') return pay_attempts > 0;
  return status !== 'created' || ask_at !== null || pay_attempts > 0 || Number(files) > 0;
}
