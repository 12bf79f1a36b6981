import { sql } from 'kysely';
import type { Reader } from '../../db/database.ts';
import { query } from '../../db/statements/query.ts';
import { jsonList } from '../../db/statements/rows-query.ts';
import type { LedgerEntry } from './ledger-rows.ts';

/**
 * The account of an affiliate: what the store owes on its coupons, which is the sum of the pools unpaid and pending
 * payout.
 *
 * A period is a range of ids: ids are the order in which the balances changed, and the times of concurrent transactions
 * may be in another order by some milliseconds. A period begins with the first entry of its first day; no entry is in two
 * adjacent periods or in none.
 */

/** Concurrent entries of one coupon whose times may be out of order. */
const OUT_OF_ORDER_MAX = 100;
const END = Number.MAX_SAFE_INTEGER;

const firstSince = query<{ coupon_id: number; since: number }, { id: number | null }>((db, p) =>
  db
    .selectFrom(
      db
        .selectFrom('ledger')
        .select('id')
        .where('coupon_id', '=', p.coupon_id)
        .where('created_at', '>=', p.since)
        .orderBy('created_at')
        .limit(sql.lit(OUT_OF_ORDER_MAX))
        .as('next'),
    )
    .select((eb) => eb.fn.min<number | null>('next.id').as('id')),
);

const lastBefore = query<{ coupon_id: number; id: number }, { owed: number }>((db, p) =>
  db
    .selectFrom('ledger')
    .select(sql<number>`unpaid_after + pending_payout_after`.as('owed'))
    .where('coupon_id', '=', p.coupon_id)
    .where('id', '<', p.id)
    .orderBy('id', 'desc')
    .limit(sql.lit(1)),
);

/** The entries of one coupon in a period. */
export interface AccountPart {
  readonly couponId: number;
  /** The id of the first entry. */
  readonly first: number;
  /** The id of the first entry after the period. */
  readonly end: number;
  /** What was owed before and after the period, in minor units. */
  readonly opening: number;
  readonly closing: number;
}

/** Finds a coupon's part of an account. `until` is the first instant after the period. */
export async function findAccountPart(
  db: Reader,
  couponId: number,
  { since, until }: { since: number; until: number },
): Promise<AccountPart> {
  const idSince = async (instant: number) =>
    (await db.first(firstSince, { coupon_id: couponId, since: instant }))?.id ?? END;
  const [first, end] = await Promise.all([idSince(since), idSince(until)]);
  const owedBefore = async (id: number) =>
    (await db.first(lastBefore, { coupon_id: couponId, id }))?.owed ?? 0;
  const [opening, closing] = await Promise.all([owedBefore(first), owedBefore(end)]);
  return { couponId, first, end, opening, closing };
}

/** Whether an entry changes what is owed: it crosses the border of the two pools. */
const changesDebt = sql<boolean>`(from_pool in ('unpaid', 'pending_payout'))
  <> (to_pool in ('unpaid', 'pending_payout'))`;

const between = query<
  { parts: string; after: number; limit: number },
  Omit<LedgerEntry, `${string}_after`>
>((db, p, _given, dialect) => {
  const given = dialect.jsonRows(p.parts, { couponId: 'number', first: 'number', end: 'number' });
  const statement = sql<LedgerEntry>`select ledger.id, coupon_id, from_pool, to_pool, amount, kind,
      order_id, payout_id, user_id, note, created_at
    from ${given} join ledger on ledger.coupon_id = given."couponId"
      and ledger.id >= given."first" and ledger.id < given."end" and ledger.id > ${p.after}
    where ${changesDebt}
    order by ledger.id limit ${p.limit}`;
  return { compile: () => statement.compile(db) };
});

/** An entry that changes what is owed. */
export interface AccountEntry extends Pick<
  LedgerEntry,
  'id' | 'coupon_id' | 'kind' | 'order_id' | 'payout_id' | 'note' | 'created_at'
> {
  /** Minor units, with the sign of the change. */
  readonly amount: number;
}

/** The entries of an account after an id, oldest first. */
export async function listAccountEntries(
  db: Reader,
  parts: readonly AccountPart[],
  page: { after: number; limit: number },
): Promise<AccountEntry[]> {
  const ranges = parts.map(({ couponId, first, end }) => ({ couponId, first, end }));
  const rows = await db.all(between, { parts: jsonList(ranges), ...page });
  return rows.map(({ to_pool, ...row }) => {
    const isDebt = to_pool === 'unpaid' || to_pool === 'pending_payout';
    return { ...row, amount: isDebt ? row.amount : -row.amount };
  });
}
