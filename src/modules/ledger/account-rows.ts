import { sql, type Kysely } from 'kysely';
import type { Reader } from '../../db/database.ts';
import { long, query } from '../../db/statements/query.ts';
import { jsonList } from '../../db/statements/rows-query.ts';
import type { Tables } from '../../db/tables.ts';
import type { LedgerEntry } from './ledger-rows.ts';

/**
 * The statement of an affiliate: what the store owes on all of its accounts, those of former coupons included, which is
 * the sum of the pools unpaid and pending payout.
 *
 * A period is a range of ids: ids are the order in which the balances changed, and the times of concurrent transactions
 * may be in another order by some milliseconds. A period begins with the first entry of its first day; no entry is in two
 * adjacent periods or in none.
 */

/** Concurrent entries of one account whose times may be out of order. */
const OUT_OF_ORDER_MAX = 100;
const END = Number.MAX_SAFE_INTEGER;

interface AccountKey {
  coupon_id: number;
  owner_id: number;
}

const entriesOf = (db: Kysely<Tables>, p: AccountKey) =>
  db.selectFrom('ledger').where('coupon_id', '=', p.coupon_id).where('owner_id', '=', p.owner_id);

const firstSince = query<AccountKey & { since: number }, { id: number | null }>((db, p) =>
  db
    .selectFrom(
      entriesOf(db, p)
        .select('id')
        .where('created_at', '>=', p.since)
        .orderBy('created_at')
        .limit(sql.lit(OUT_OF_ORDER_MAX))
        .as('next'),
    )
    .select((eb) => eb.fn.min<number | null>('next.id').as('id')),
);

/** Along the index of times: another affiliate may have any number of later entries on the coupon. */
const lastBefore = query<AccountKey & { since: number; id: number }, { owed: number }>((db, p) =>
  db
    .selectFrom(
      entriesOf(db, p)
        .select(['id', sql<number>`unpaid_after + pending_payout_after`.as('owed')])
        .where('created_at', '<', p.since)
        .where('id', '<', p.id)
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(sql.lit(OUT_OF_ORDER_MAX))
        .as('former'),
    )
    .select('owed')
    .orderBy('former.id', 'desc')
    .limit(sql.lit(1)),
);

/** The entries of one account in a period. */
export interface AccountPart {
  readonly couponId: number;
  readonly userId: number;
  /** The id of the first entry. */
  readonly first: number;
  /** The id of the first entry after the period. */
  readonly end: number;
  /** What was owed before and after the period, in minor units. */
  readonly opening: number;
  readonly closing: number;
}

/** Finds the part that an affiliate's entries on a coupon are. `until` is the first instant after the period. */
export async function findAccountPart(
  db: Reader,
  { couponId, userId }: { couponId: number; userId: number },
  { since, until }: { since: number; until: number },
): Promise<AccountPart> {
  const key = { coupon_id: couponId, owner_id: userId };
  const border = async (instant: number) => {
    const id = (await db.first(firstSince, { ...key, since: instant }))?.id ?? END;
    const before = await db.first(lastBefore, { ...key, since: instant, id });
    return { id, owed: before?.owed ?? 0 };
  };
  const [first, end] = await Promise.all([border(since), border(until)]);
  const ids = { first: first.id, end: end.id };
  return { couponId, userId, ...ids, opening: first.owed, closing: end.owed };
}

/** Whether an entry changes what is owed: it crosses the border of the two pools. */
const changesDebt = sql<boolean>`(from_pool in ('unpaid', 'pending_payout'))
  <> (to_pool in ('unpaid', 'pending_payout'))`;

const between = query<
  { parts: string; after: number; limit: number },
  Omit<LedgerEntry, `${string}_after`>
>((db, p, _given, dialect) => {
  const given = dialect.jsonRows(p.parts, {
    couponId: 'number',
    userId: 'number',
    first: 'number',
    end: 'number',
  });
  const statement = sql<LedgerEntry>`select ledger.id, coupon_id, from_pool, to_pool, amount, kind,
      order_id, payout_id, user_id, note, created_at
    from ${given} join ledger on ledger.coupon_id = given."couponId" and +ledger.owner_id = given."userId"
      and ledger.id >= given."first" and ledger.id < given."end" and ledger.id > ${p.after}
    where ${changesDebt}
    order by ledger.id limit ${p.limit}`;
  return { compile: () => statement.compile(db) };
}, long);

/** An entry that changes what is owed. */
export interface AccountEntry extends Pick<
  LedgerEntry,
  'id' | 'coupon_id' | 'kind' | 'order_id' | 'payout_id' | 'note' | 'created_at'
> {
  /** Minor units, with the sign of the change. */
  readonly amount: number;
}

/** The entries of some accounts after an id, oldest first. */
export async function listAccountEntries(
  db: Reader,
  parts: readonly AccountPart[],
  page: { after: number; limit: number },
): Promise<AccountEntry[]> {
  const ranges = parts.map(({ couponId, userId, first, end }) => ({
    couponId,
    userId,
    first,
    end,
  }));
  const rows = await db.all(between, { parts: jsonList(ranges), ...page });
  return rows.map(({ to_pool, ...row }) => {
    const isDebt = to_pool === 'unpaid' || to_pool === 'pending_payout';
    return { ...row, amount: isDebt ? row.amount : -row.amount };
  });
}
