import { sql } from 'kysely';
import type { Transaction } from '../../db/database.ts';
import { query } from '../../db/statements/query.ts';
import { updateRows } from '../../db/statements/rows-query.ts';
import { tracesOf, type Traces } from './traces.ts';

/** Fills existing rows for the migration `0002-registration-review`. */

const ROWS_AT_ONCE = 1_000;

const next = query<{ after: number }, { id: number; email: string; website: string }>((db, p) =>
  db
    .selectFrom('registrations')
    .innerJoin('users', 'users.id', 'registrations.user_id')
    .select(['registrations.id', 'users.email', 'registrations.website'])
    .where('registrations.id', '>', p.after)
    .orderBy('registrations.id')
    .limit(sql.lit(ROWS_AT_ONCE)),
);

const setTraces = updateRows<Traces & { id: number }>(
  'registrations',
  { id: 'number', mail_pattern: 'text', mail_domain: 'text', website_place: 'text' },
  { key: ['id'], set: ['mail_pattern', 'mail_domain', 'website_place'], add: [] },
);

export async function fillTraces(tx: Transaction): Promise<void> {
  for (let after = 0; ;) {
    const rows = await tx.all(next, { after });
    await tx.runMany(
      setTraces,
      rows.map(({ id, email, website }) => ({ id, ...tracesOf(email, website) })),
    );
    if (rows.length < ROWS_AT_ONCE) return;
    after = rows.at(-1)!.id;
  }
}
