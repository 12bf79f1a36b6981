import { sql } from 'kysely';
import type { Transaction } from '../../db/database.ts';
import { query } from '../../db/statements/query.ts';
import type { UserRow } from './user-store.ts';

const ROWS_AT_ONCE = 1_000;

type Name = Pick<UserRow, 'id' | 'display_name' | 'display_name_folded'>;

/** ASCII letters only: how SQL folds other letters depends on the build and locale of the database. */
const foldPlainLetters = query((db) =>
  db
    .updateTable('users')
    .set((eb) => ({ display_name_folded: eb.fn<string>('lower', ['display_name']) })),
);

const next = query<{ after: number }, Name>((db, p) =>
  db
    .selectFrom('users')
    .select(['id', 'display_name', 'display_name_folded'])
    .where('id', '>', p.after)
    .orderBy('id')
    .limit(sql.lit(ROWS_AT_ONCE)),
);

const save = query<{ id: number; display_name_folded: string }>((db, p) =>
  db
    .updateTable('users')
    .set({ display_name_folded: p.display_name_folded })
    .where('id', '=', p.id),
);

/** Folds the names of users who were created before names were folded when stored. */
export async function foldDisplayNames(tx: Transaction): Promise<void> {
  await tx.run(foldPlainLetters, {});
  for (let after = 0; ;) {
    const names = await tx.all(next, { after });
    for (const { id, display_name, display_name_folded } of names) {
      const folded = display_name.toLowerCase();
      if (folded !== display_name_folded) await tx.run(save, { id, display_name_folded: folded });
    }
    if (names.length < ROWS_AT_ONCE) return;
    after = names.at(-1)!.id;
  }
}
