import { sql, type SqlBool } from 'kysely';
import { readAll, readByNumbers, readOne } from '../../db/statements/calls.ts';
import { updateInBatches } from '../../db/statements/in-batches.ts';
import { instant } from '../../db/statements/instants.ts';
import { query } from '../../db/statements/query.ts';
import { collectRows } from '../../db/statements/collect-rows.ts';
import type { Reader, Transaction } from '../../db/database.ts';
import type { Site } from '../../kernel/declare/site.ts';
import {
  DELAY_MS_MAX,
  QUARTER_HOUR_MS,
  toKeys,
  type HeldSum,
  type HeldSums,
} from '../orders/index.ts';
import type { DayRange } from '../rewards/index.ts';
import { bonusList } from './bonus-list.ts';
import type { Payment } from './tables.ts';

export const findPaymentsOf = readByNumbers<Payment>((db, isKey) =>
  db.selectFrom('bonus_payments').selectAll().where(isKey('user_id')),
);

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

const onAccounts = query<ReturnType<typeof toKeys>, HeldSum>((db, p, _given, dialect) => {
  const quarter = sql<number>`release_at / ${sql.lit(QUARTER_HOUR_MS)}`;
  return db
    .selectFrom('bonus_payments')
    .select((eb) => ['coupon_id', quarter.as('quarter'), eb.fn.sum<number>('amount').as('amount')])
    .where(dialect.inJsonArray('coupon_id', p.coupon_ids, 'number'))
    .where('release_at', 'is not', null)
    .where('user_id', '=', p.user_id)
    .groupBy(['coupon_id', quarter]);
});

export const heldBonuses: HeldSums = (db, accounts) => db.all(onAccounts, toKeys(accounts));

const shorten = updateInBatches<{ now: number }>('bonus_payments', 'user_id', (p) => {
  const latest = sql`${instant(p.now)} + ${sql.lit(DELAY_MS_MAX)}`;
  return { set: sql`release_at = ${latest}`, where: sql<SqlBool>`release_at > ${latest}` };
});

/** As for commissions: no bonus is held longer than the longest delay that can be set. */
export function correctReleases({ database }: Site, now: number): Promise<void> {
  return shorten(database, { now });
}
