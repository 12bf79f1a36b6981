import type { Reader } from '../../../src/db/database.ts';
import { query } from '../../../src/db/statements/query.ts';
import { totalsOf } from '../../../src/kernel/cache/total-cache.ts';
import type { CompleteLink } from '../../../src/modules/clicks/index.ts';
import { connectorsOf } from '../connectors/connectors.ts';

/** Every referral link asks for them. */
const KINDS_CACHED_MS = 5_000;

const connectedKinds = query<object, { kind: string }>((db) =>
  db.selectFrom('store_connections').select('kind').distinct().where('state', '!=', 'deleted'),
);

/** Adds to referral links what the connected kinds of stores need to remember them. */
export const completeLinks: CompleteLink = async (db, site, parameters, code) => {
  const kinds = await totalsOf(site).find('kinds of stores', {}, () => readKinds(db), {
    maxAgeMs: KINDS_CACHED_MS,
  });
  if (kinds.size === 0) return;
  for (const { kind, completeLink } of connectorsOf(site)) {
    if (kinds.has(kind)) completeLink?.(parameters, code);
  }
};

async function readKinds(db: Reader): Promise<ReadonlySet<string>> {
  const rows = await db.all(connectedKinds, {});
  return new Set(rows.map(({ kind }) => kind));
}
