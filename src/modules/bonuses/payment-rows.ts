import { sql } from 'kysely';
import type { Reader, Transaction } from '../../db/database.ts';
import { readAll, readOne } from '../../db/statements/calls.ts';
import { collectRows } from '../../db/statements/collect-rows.ts';
import { listIn } from '../../db/statements/plain-calls.ts';
import type { Site } from '../../kernel/declare/site.ts';
import type { DayRange } from '../rewards/index.ts';
import { bonusList } from './bonus-list.ts';
import type { Payment } from './tables.ts';

export const findPaymentsOf = listIn('bonus_payments', 'user_id');

/** What was reached in a time and not taken back. */
const reached = readOne<{ since: number; until: number }, { count: number; amount: number }>(
  (db, p) =>
    db
      .selectFrom('bonus_payments')
      .select(({ fn }) => [
        fn.countAll<number>().as('count'),
        fn.coalesce(fn.sum<number>('amount'), sql.lit(0)).as('amount'),
      ])
      .where('reached_at', '>=', p.since)
      .where('reached_at', '<', p.until)
      .where('state', '<>', sql.lit('reversed')),
);

/** How many bonuses were reached on some days, and their sum in minor units. A store without bonuses reads nothing. */
export async function sumReached(db: Reader, { settings, calendar }: Site, days: DayRange) {
  if (settings.get(bonusList.version) === 0) return { count: 0, amount: 0 };
  return reached(db, {
    since: calendar.startOfDay(days.first),
    until: calendar.endOfDay(days.last) + 1,
  });
}

/** Held payments whose time has come. */
export const listDuePayments = readAll<{ now: number; limit: number }, Payment>((db, p) =>
  db
    .selectFrom('bonus_payments')
    .selectAll()
    .where('release_at', '<=', p.now)
    .where('release_at', 'is not', null)
    .orderBy('release_at')
    .limit(p.limit),
);

const upsert = collectRows<Payment>('bonus_payments', {
  // They refer to coupons, which the ledger has locked before.
  after: 'ledger',
  on: ['bonus_id', 'user_id', 'window_first'],
  keep: [],
});

export function savePayment(tx: Transaction, payment: Payment): Payment {
  upsert(tx, payment);
  return payment;
}

/** Identifies a payment. */
export function keyOf({ bonus_id, user_id, window_first }: PaymentKey): string {
  return `${bonus_id} ${user_id} ${window_first}`;
}

type PaymentKey = Pick<Payment, 'bonus_id' | 'user_id' | 'window_first'>;
