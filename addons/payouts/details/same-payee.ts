import { sql } from 'kysely';
import { readAll } from '../../../src/db/statements/calls.ts';
import { jsonList } from '../../../src/db/statements/rows-query.ts';
import type { FindSamePayee } from '../../../src/modules/ledger/index.ts';

type Keys = { keys: string; known: string };

const others = readAll<Keys, { user_id: number; other_id: number | null }>(
  (db, p, _given, dialect) =>
    db
      .selectFrom('payout_details')
      .select('user_id')
      .select(
        sql<number | null>`(select min(other.user_id) from payout_details as other
          where other.destination_hash = payout_details.destination_hash
            and other.user_id <> payout_details.user_id
            and not (${dialect.inJsonArray('other.user_id', p.known, 'number')}))`.as('other_id'),
      )
      .where(dialect.inJsonArray('user_id', p.keys, 'number'))
      .where('destination_hash', '<>', sql.lit('')),
);

/** One step in the index of destinations for each affiliate. */
export const samePayee: FindSamePayee = async (db, userIds, known = []) => {
  const rows = await others(db, { keys: jsonList(userIds), known: jsonList(known) });
  return new Map(
    rows.flatMap(({ user_id, other_id }) => (other_id === null ? [] : [[user_id, other_id]])),
  );
};
