import { insertRow, readByNumbers, readFirst } from '../../src/db/statements/calls.ts';
import { removeFrom } from '../../src/db/statements/plain-calls.ts';
import type { RowOf } from '../../src/db/tables.ts';

export const findAgreement = readFirst<
  { user_id: number },
  Pick<RowOf<'leaderboard_names'>, 'agreed_at'>
>((db, p) =>
  db.selectFrom('leaderboard_names').select('agreed_at').where('user_id', '=', p.user_id),
);

/** The names of affiliates that agreed, as they are now. */
export const namesOf = readByNumbers<{ user_id: number; name: string }>((db, isKey) =>
  db
    .selectFrom('leaderboard_names')
    .innerJoin('users', 'users.id', 'leaderboard_names.user_id')
    .select(['leaderboard_names.user_id', 'users.display_name as name'])
    .where(isKey('leaderboard_names.user_id')),
);

export const agree = insertRow<RowOf<'leaderboard_names'>>((db, row) =>
  db
    .insertInto('leaderboard_names')
    .values(row)
    .onConflict((on) => on.column('user_id').doNothing()),
);

export const withdraw = removeFrom('leaderboard_names', 'user_id');
