import type { Transaction } from '../../db/database.ts';
import { query } from '../../db/statements/query.ts';
import { hostOf } from './store-host.ts';

interface Connected {
  id: number;
  kind: string;
  url: string;
}

const connected = query<object, Connected>((db) =>
  db
    .selectFrom('store_connections')
    .select(['id', 'kind', 'url'])
    .where('state', '!=', 'deleted')
    // The address of Stripe is the same for every account.
    .where('kind', '!=', 'stripe')
    .orderBy('id'),
);

const setHost = query<{ id: number; host: string }>((db, p) =>
  db.updateTable('store_connections').set({ host: p.host }).where('id', '=', p.id),
);

/** Of stores that an earlier release has connected twice, the first connection is the one that is named. */
export async function fillHosts(tx: Transaction): Promise<void> {
  const seen = new Set<string>();
  for (const { id, kind, url } of await tx.all(connected, {})) {
    const host = hostOf(url);
    const key = `${kind} ${host}`;
    if (host === null || seen.has(key)) continue;
    seen.add(key);
    await tx.run(setHost, { id, host });
  }
}
