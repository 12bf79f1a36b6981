import { sql, type Kysely } from 'kysely';
import type { Reader } from '../../db/database.ts';
import { readAll } from '../../db/statements/calls.ts';
import { query } from '../../db/statements/query.ts';
import type { Tables } from '../../db/tables.ts';
import type { LedgerEntry } from './ledger-rows.ts';

interface AccountKey {
  readonly coupon_id: number;
  readonly owner_id: number;
}

/** The first entry of a payout took the unpaid balance of its account. */
const opening = query<{ payout_id: number }, { id: number } & AccountKey>((db, p) =>
  db
    .selectFrom('ledger')
    .select(['id', 'coupon_id', 'owner_id'])
    .where('payout_id', '=', p.payout_id)
    .orderBy('id')
    .limit(sql.lit(1)),
);

/** A payout takes the full unpaid balance, so the one before it left nothing. */
const openingBefore = query<AccountKey & { id: number }, { id: number }>((db, p) =>
  db
    .selectFrom('ledger')
    .select('id')
    .where('coupon_id', '=', p.coupon_id)
    .where(sql<boolean>`+owner_id = ${p.owner_id}`)
    .where('id', '<', p.id)
    .where('to_pool', '=', sql.lit('pending_payout'))
    .where('unpaid_after', '=', sql.lit(0))
    .orderBy('id', 'desc')
    .limit(sql.lit(1)),
);

/** A range of ids of one account, without its limits. */
export interface EntriesPaidOut extends AccountKey {
  readonly after: number;
  readonly before: number;
}

/** Finds the entries whose sum a payout took; undefined if the ledger has no such payout. */
export async function findEntriesPaidOut(
  db: Reader,
  payoutId: number,
): Promise<EntriesPaidOut | undefined> {
  const own = await db.first(opening, { payout_id: payoutId });
  if (!own) return undefined;
  const { id, ...account } = own;
  const previous = await db.first(openingBefore, own);
  return { ...account, after: previous?.id ?? 0, before: id };
}

function selectEntries(db: Kysely<Tables>, p: EntriesPaidOut) {
  return db
    .selectFrom('ledger')
    .where('coupon_id', '=', p.coupon_id)
    .where(sql<boolean>`+owner_id = ${p.owner_id}`)
    .where('id', '>', p.after)
    .where('id', '<', p.before)
    .where(sql<boolean>`(from_pool = 'unpaid' or to_pool = 'unpaid')`);
}

const count = query<EntriesPaidOut, { total: number }>((db, p) =>
  selectEntries(db, p).select((eb) => eb.fn.countAll<number>().as('total')),
);

/** Newest first. */
export const listEntriesPaidOut = readAll<
  EntriesPaidOut & { limit: number; offset: number },
  LedgerEntry
>((db, p) =>
  selectEntries(db, p).selectAll().orderBy('id', 'desc').limit(p.limit).offset(p.offset),
);

export async function countEntriesPaidOut(db: Reader, range: EntriesPaidOut): Promise<number> {
  return (await db.first(count, range))!.total;
}
