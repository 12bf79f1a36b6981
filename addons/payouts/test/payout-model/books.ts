import { query } from '../../../../src/db/statements/query.ts';
import type { RowOf } from '../../../../src/db/tables.ts';
import type { Site } from '../../../../src/kernel/declare/site.ts';

export interface Balances {
  id: number;
  unpaid: number;
  awaiting: number;
  pending_payout: number;
  paid: number;
}

export interface Day {
  basis: string;
  day: string;
  status: string;
  payouts: number;
  amount: number;
}

const coupons = query<object, Balances>((db) =>
  db
    .selectFrom('coupons')
    .select(['id', 'unpaid', 'awaiting', 'pending_payout', 'paid'])
    .orderBy('id'),
);

const payouts = query<object, RowOf<'payouts'>>((db) =>
  db.selectFrom('payouts').selectAll().orderBy('id'),
);

const days = query<object, Day>((db) =>
  db.selectFrom('payout_days').selectAll().where('payouts', '!=', 0),
);

/** The stored rows, read directly from the database. */
export interface Books {
  coupons: Balances[];
  payouts: RowOf<'payouts'>[];
}

export async function readBooks({ database }: Site): Promise<Books> {
  return {
    coupons: await database.read.all(coupons, {}),
    payouts: await database.read.all(payouts, {}),
  };
}

/** The daily sums that are not zero, in any order. */
export function readDays({ database }: Site): Promise<Day[]> {
  return database.read.all(days, {});
}
