import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql, type Selectable, type SqlBool } from 'kysely';
import type { Reader } from '../../../db/database.ts';
import { readAll } from '../../../db/statements/calls.ts';
import { deleteInBatches } from '../../../db/statements/in-batches.ts';
import { insertRows, jsonList } from '../../../db/statements/rows-query.ts';
import { PAGE, pagesOf } from './look-back.ts';
import type { ReviewOrderTracesTable } from '../tables.ts';

export type OrderTrace = Selectable<ReviewOrderTracesTable>;

export const insertTraces = insertRows<OrderTrace>('review_order_traces', { on: ['order_id'] });

type DomainOfOrder = Omit<OrderTrace, 'recorded_at'>;

const tracesOfDomains = readAll<{ hashes: string; limit: number }, DomainOfOrder>(
  (db, p, _given, dialect) =>
    db
      .selectFrom('review_order_traces')
      .select(['order_id', 'domain_hash'])
      .where(dialect.inJsonArray('domain_hash', p.hashes, 'text'))
      .limit(p.limit),
);

type OfDomain = { hash: string; after: number; limit: number };

const tracesOfDomain = readAll<OfDomain, DomainOfOrder>((db, p) =>
  db
    .selectFrom('review_order_traces')
    .select(['order_id', 'domain_hash'])
    .where('domain_hash', '=', p.hash)
    .where('order_id', '>', p.after)
    .orderBy('order_id')
    .limit(p.limit),
);

/** The orders of some domains, in pages: most domains have none, and one may have very many. */
export async function* pagesOfTraces(
  db: Reader,
  hashes: readonly string[],
): AsyncGenerator<DomainOfOrder[]> {
  const [hash] = hashes;
  if (hash === undefined) return;
  if (hashes.length === 1) {
    yield* pagesOf<DomainOfOrder>((last) =>
      tracesOfDomain(db, { hash, after: last?.order_id ?? 0, limit: PAGE }),
    );
    return;
  }
  if (hashes.length <= PAGE) {
    const page = await tracesOfDomains(db, { hashes: jsonList(hashes), limit: PAGE });
    await nextTurn();
    if (page.length < PAGE) {
      yield page;
      return;
    }
  }
  const middle = hashes.length >> 1;
  yield* pagesOfTraces(db, hashes.slice(0, middle));
  yield* pagesOfTraces(db, hashes.slice(middle));
}

export const removeTracesBefore = deleteInBatches<{ before: number }>(
  'review_order_traces',
  'recorded_at',
  (p) => sql<SqlBool>`recorded_at < ${p.before}`,
);
