import { sql } from 'kysely';
import type { Database, Transaction } from '../../db/database.ts';
import { query } from '../../db/statements/query.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { readUnbound } from '../../kernel/call/read-unbound.ts';
import { RESERVED, type ResponseRow } from './response-store.ts';
import { columnOf } from './stored-responses.ts';

const ROWS_AT_ONCE = 500;
/** The name from which earlier versions derived the key; it cannot change. */
const UNBOUND_PURPOSE = ['kept', 'answer'].join(' ');

type Row = Pick<ResponseRow, 'identity' | 'key' | 'headers' | 'body' | 'created_at'>;

const next = query<{ since: number }, Row>((db, p) =>
  db
    .selectFrom('idempotency_keys')
    .select(['identity', 'key', 'headers', 'body', 'created_at'])
    .where('created_at', '>=', p.since)
    .where('body', 'not like', sql.lit('v2.%'))
    .where('status', '<>', RESERVED)
    .orderBy('created_at')
    .limit(sql.lit(ROWS_AT_ONCE)),
);

const save = query<Omit<Row, 'created_at'>>((db, p) =>
  db
    .updateTable('idempotency_keys')
    .set({ headers: p.headers, body: p.body })
    .where('identity', '=', p.identity)
    .where('key', '=', p.key),
);

const remove = query<{ identity: string; key: string }>((db, p) =>
  db.deleteFrom('idempotency_keys').where('identity', '=', p.identity).where('key', '=', p.key),
);

/** Re-encrypts responses that an earlier version stored, bound to their rows (decision 16). */
export async function bindResponses(
  database: Database,
  site: Pick<Site, 'keyring'>,
): Promise<void> {
  for (let since: number | undefined = 0; since !== undefined;) {
    since = await database.transaction(async (tx) => {
      const rows = await tx.all(next, { since: since! });
      for (const row of rows) await bind(tx, site, row);
      return rows.length < ROWS_AT_ONCE ? undefined : rows.at(-1)!.created_at;
    });
  }
}

async function bind(tx: Transaction, { keyring }: Pick<Site, 'keyring'>, row: Row) {
  const { identity, key } = row;
  const [headers, body] = [row.headers, row.body].map((text) =>
    readUnbound(keyring, UNBOUND_PURPOSE, text),
  );
  if (headers === undefined || body === undefined) {
    await tx.run(remove, { identity, key });
    return;
  }
  await tx.run(save, {
    identity,
    key,
    headers: keyring.encrypt(columnOf(row, 'headers'), headers),
    body: keyring.encrypt(columnOf(row, 'body'), body),
  });
}
