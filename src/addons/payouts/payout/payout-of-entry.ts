import { sql } from 'kysely';
import { readAll, readFirst } from '../../../db/statements/calls.ts';
import type { PayoutOfEntry } from '../../../modules/ledger/index.ts';
import type { PayoutStatus } from './payout-status.ts';

interface Movement {
  id: number;
  to_pool: string;
}

/** What an order has moved into and out of the unpaid balance of a coupon, oldest first. */
const movementsOf = readAll<{ coupon_id: number; order_id: number }, Movement>((db, p) =>
  db
    .selectFrom('ledger')
    .select(['id', 'to_pool'])
    .where('coupon_id', '=', p.coupon_id)
    // No entry of the order is older: the index by coupon and time ends the search there.
    .where('created_at', '>=', (eb) =>
      eb.selectFrom('orders').select('created_at').where('order_id', '=', p.order_id),
    )
    .where('order_id', '=', p.order_id)
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

/** The first payout that took the unpaid balance after an entry and still has it. */
const takenAfter = readFirst<{ coupon_id: number; entry_id: number }, Taking>((db, p) =>
  db
    .selectFrom('ledger')
    .innerJoin('payouts', 'payouts.id', 'ledger.payout_id')
    .select((eb) => [
      'payouts.id',
      'payouts.status',
      'payouts.ask_at',
      'payouts.pay_attempts',
      eb
        .selectFrom('payout_file_items')
        .select((inner) => inner.fn.countAll<number>().as('count'))
        .whereRef('payout_file_items.payout_id', '=', 'payouts.id')
        .as('files'),
    ])
    .where('ledger.coupon_id', '=', p.coupon_id)
    .where('ledger.id', '>', p.entry_id)
    .where('ledger.to_pool', '=', sql.lit('pending_payout'))
    .where(sql<boolean>`payouts.status not in ('cancel', 'failed')`)
    .orderBy('ledger.id')
    .limit(sql.lit(1)),
);

/** The payout of an order's commission: the first one after it became payable for the last time. */
export const payoutOfEntry: PayoutOfEntry = async (db, commission) => {
  const movements = await movementsOf(db, commission);
  const added = movements.filter(({ to_pool }) => to_pool === 'unpaid');
  if (added.length === 0) return undefined;
  const lastTaken = movements.findLast(({ to_pool }) => to_pool !== 'unpaid')?.id ?? 0;
  const entry = added.find(({ id }) => id > lastTaken) ?? added.at(-1)!;
  const { coupon_id } = commission;
  const payout = await takenAfter(db, { coupon_id, entry_id: entry.id });
  return payout && { id: payout.id, isSent: isSent(payout) };
};

function isSent({ status, ask_at, pay_attempts, files }: Taking): boolean {
  if (status === 'pending') return pay_attempts > 0;
  return status !== 'created' || ask_at !== null || pay_attempts > 0 || Number(files) > 0;
}
