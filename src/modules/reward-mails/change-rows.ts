import { sql } from 'kysely';
import { insertRow, readByNumbers, readFirst, write } from '../../db/statements/calls.ts';
import { instant } from '../../db/statements/instants.ts';
import { removeFrom, saveIn } from '../../db/statements/plain-calls.ts';
import type { RowOf } from '../../db/tables.ts';
import type { UserRow } from '../users/index.ts';

export type ChangeRow = RowOf<'reward_changes'>;

export const firstChange = readFirst<object, ChangeRow>((db) =>
  db.selectFrom('reward_changes').selectAll().orderBy('id').limit(1),
);

export const lastChange = readFirst<object, ChangeRow>((db) =>
  db.selectFrom('reward_changes').selectAll().orderBy('id', 'desc').limit(1),
);

export const addChange = insertRow<Pick<ChangeRow, 'before' | 'began_at' | 'changed_at'>>(
  (db, row) => db.insertInto('reward_changes').values(row),
);

export const saveChange = saveIn(
  'reward_changes',
  ['before', 'after', 'changed_at', 'after_user'],
  'id',
);

export const removeChange = removeFrom('reward_changes', 'id');

/** After the system clock was set back, no change is later than now. */
export const limitChanges = write<{ now: number }>((db, p) => {
  const now = instant(p.now);
  return db
    .updateTable('reward_changes')
    .set({ changed_at: now, began_at: now })
    .where(sql<boolean>`changed_at > ${now}`);
});

type Recipient = Pick<UserRow, 'id' | 'display_name' | 'email' | 'language' | 'muted_notices'>;

/** Affiliates who can sign in and earn. Administrators with a coupon have no record of an affiliate. */
export const findRecipients = readByNumbers<Recipient>((db, isKey) =>
  db
    .selectFrom('users')
    .leftJoin('affiliates', 'affiliates.user_id', 'users.id')
    .select([
      'users.id',
      'users.display_name',
      'users.email',
      'users.language',
      'users.muted_notices',
    ])
    .where(isKey('users.id'))
    .where('users.disabled_at', 'is', null)
    .where((eb) =>
      eb.or([eb('affiliates.status', 'is', null), eb('affiliates.status', '<>', 'suspended')]),
    ),
);
