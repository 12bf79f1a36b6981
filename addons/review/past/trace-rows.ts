import { sql } from 'kysely';
import type { Reader } from '../../../src/db/database.ts';
import { readAll, readFirst } from '../../../src/db/statements/calls.ts';
import { collectRows } from '../../../src/db/statements/collect-rows.ts';
import { long, query } from '../../../src/db/statements/query.ts';
import { jsonList } from '../../../src/db/statements/rows-query.ts';
import type { RowOf } from '../../../src/db/tables.ts';
import { PAGE, wideRange, type FoundReferral } from './look-back.ts';

export type OrderTrace = RowOf<'review_order_traces'>;

export const insertTrace = collectRows<OrderTrace>('review_order_traces', {
  after: 'referrals',
  on: ['order_id'],
});

interface Domain {
  hash: string;
  /** Of its orders, at most `PAGE` and one. */
  count: number;
}

/** Counts the orders of domains: most have none, and one may have very many. */
const countOfDomains = query<{ domains: string }, Domain>((db, p, _given, dialect) => {
  const statement = sql<Domain>`select given.hash, (select count(*) from (
      select 1 from review_order_traces where domain_hash = given.hash
      limit ${sql.lit(PAGE + 1)}) as counted) as count
    from ${dialect.jsonRows(p.domains, { hash: 'text' })}`;
  return { compile: () => statement.compile(db) };
}, long);

type Span = { hashes: string; from: number; until: number; since: number };
export type TracedReferral = FoundReferral & { domain_hash: string };

const referralsOfDomains = readAll<Span, TracedReferral>(
  (db, p, _given, dialect) =>
    db
      .selectFrom('review_order_traces as traces')
      .crossJoin('referrals')
      .select(['traces.domain_hash', 'referrals.order_id'])
      .select(['referrals.user_id', 'referrals.commission'])
      .where(dialect.inJsonArray('traces.domain_hash', p.hashes, 'text'))
      .where(wideRange(dialect, 'traces.order_id', 'number'), '>=', p.from)
      .where(wideRange(dialect, 'traces.order_id', 'number'), '<', p.until)
      .whereRef('referrals.order_id', '=', 'traces.order_id')
      .where('referrals.dropped', '=', sql.lit(0))
      .where('referrals.placed_at', '>=', p.since),
  long,
);

/** The order that ends a page. */
const endOfPage = readFirst<{ hash: string; from: number; limit: number }, { order_id: number }>(
  (db, p) =>
    db
      .selectFrom('review_order_traces')
      .select('order_id')
      .where('domain_hash', '=', p.hash)
      .where('order_id', '>=', p.from)
      .orderBy('order_id')
      .limit(sql.lit(1))
      .offset(p.limit),
  long,
);

/** The referrals of orders since a time whose customers have mailboxes at some domains, so many at a time. */
export async function* pagesOfTraced(
  db: Reader,
  hashes: readonly string[],
  since: number,
  limit: number,
): AsyncGenerator<TracedReferral[]> {
  const read = (some: readonly string[], from = 0, until = Number.MAX_SAFE_INTEGER) =>
    referralsOfDomains(db, { hashes: jsonList(some), from, until, since });
  let page: string[] = [];
  let size = 0;
  for (let i = 0; i < hashes.length; i += PAGE) {
    const domains = jsonList(hashes.slice(i, i + PAGE).map((hash) => ({ hash })));
    for (const { hash, count } of await db.all(countOfDomains, { domains })) {
      if (count > PAGE) {
        for (let from = 0; ;) {
          const end = await endOfPage(db, { hash, from, limit });
          yield await read([hash], from, end?.order_id);
          if (!end) break;
          from = end.order_id;
        }
      } else if (count > 0) {
        page.push(hash);
        size += count;
        if (size <= limit - PAGE) continue;
        yield await read(page);
        [page, size] = [[], 0];
      }
    }
  }
  if (page.length > 0) yield await read(page);
}
