import { sql } from 'kysely';
import type { Database } from '../../../db/database.ts';
import { query, type Query } from '../../../db/statements/query.ts';
import type { Site } from '../../../kernel/declare/site.ts';
import { readUnbound } from '../../../kernel/call/read-unbound.ts';
import { isBound, type SecretLocation } from '../../../shared/secrets.ts';
import { payoutPlace, savedPlace } from './details-store.ts';

const ROWS_AT_ONCE = 500;
const UNBOUND_PURPOSE = 'payout-details';

interface DetailsRow {
  id: number;
  details: string;
}

type Next = Query<{ after: number }, DetailsRow>;
type Save = Query<DetailsRow, never>;

const nextSaved: Next = query((db, p) =>
  db
    .selectFrom('payout_details')
    .select(['user_id as id', 'details'])
    .where('user_id', '>', p.after)
    .orderBy('user_id')
    .limit(sql.lit(ROWS_AT_ONCE)),
);

const saveSaved = query<DetailsRow>((db, p) =>
  db.updateTable('payout_details').set({ details: p.details }).where('user_id', '=', p.id),
);

const nextPayouts: Next = query((db, p) =>
  db
    .selectFrom('payouts')
    .select(['id', 'details'])
    .where('id', '>', p.after)
    .where('details', 'is not', null)
    .orderBy('id')
    .limit(sql.lit(ROWS_AT_ONCE))
    .$narrowType<{ details: string }>(),
);

const savePayout = query<DetailsRow>((db, p) =>
  db.updateTable('payouts').set({ details: p.details }).where('id', '=', p.id),
);

/** Re-encrypts destinations that an earlier version stored without binding them to their rows. */
export async function bindDetails(
  database: Database,
  { keyring }: Pick<Site, 'keyring'>,
): Promise<void> {
  const bindAll = async (next: Next, save: Save, placeOf: (id: number) => SecretLocation) => {
    for (let after: number | undefined = 0; after !== undefined;) {
      after = await database.transaction(async (tx) => {
        const rows = await tx.all(next, { after: after! });
        for (const { id, details } of rows) {
          if (isBound(details)) continue;
          const plain = readUnbound(keyring, UNBOUND_PURPOSE, details);
          if (plain === undefined) continue;
          await tx.run(save, { id, details: keyring.encrypt(placeOf(id), plain) });
        }
        return rows.length < ROWS_AT_ONCE ? undefined : rows.at(-1)!.id;
      });
    }
  };
  try {
    await bindAll(nextSaved, saveSaved, savedPlace);
    await bindAll(nextPayouts, savePayout, payoutPlace);
  } catch (error) {
    if (!database.dialect.isMissingTable(error)) throw error;
  }
}
