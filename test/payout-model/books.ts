import { query } from '../../src/db/statements/query.ts';
import type { RowOf } from '../../src/db/tables.ts';
import type { Site } from '../../src/kernel/declare/site.ts';
import { sequenceEvents } from '../../src/modules/events/sequence-events.ts';
import type { FeedEntry } from './reference.ts';

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

const eventsAfter = query<{ after: number }, RowOf<'events'>>((db, p) =>
  db.selectFrom('events').selectAll().where('id', '>', p.after).orderBy('id'),
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

export async function readFeed({ database }: Site, after: number): Promise<FeedEntry[]> {
  await sequenceEvents(database);
  const rows = await database.read.all(eventsAfter, { after });
  return rows.map(({ id, event, user_id, created_at, data }) => {
    const read = JSON.parse(data) as Record<string, unknown>;
    const amount = Math.round(Number(read['amount']) * 100);
    return { id, event, userId: user_id, atMs: created_at, data: { ...read, amount } };
  });
}
