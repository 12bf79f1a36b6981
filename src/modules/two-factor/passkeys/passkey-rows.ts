import { insertOne, readAll, writeFirst, writeOne } from '../../../db/statements/calls.ts';
import { findIn, removeFrom, removeOneFrom } from '../../../db/statements/plain-calls.ts';
import type { RowOf } from '../../../db/tables.ts';

export type PasskeyRow = RowOf<'passkeys'>;
type NewPasskey = Omit<PasskeyRow, 'id' | 'last_used_at'>;

export const insertPasskey = insertOne<NewPasskey, PasskeyRow>((db, row) =>
  db.insertInto('passkeys').values(row).returningAll(),
);

export const listPasskeyRows = readAll<{ user_id: number }, PasskeyRow>((db, p) =>
  db.selectFrom('passkeys').selectAll().where('user_id', '=', p.user_id).orderBy('id'),
);

export const findPasskey = findIn('passkeys', 'credential_id');

/**
 * The counter must grow, unless the authenticator does not count. Returns false if it did not, as with a copied
 * authenticator or a replayed response.
 */
export const usePasskeyRow = writeOne<{ id: number; counter: number; now: number }>((db, p) =>
  db
    .updateTable('passkeys')
    .set({ counter: p.counter, last_used_at: p.now })
    .where('id', '=', p.id)
    .where((eb) =>
      eb.or([
        eb('counter', '<', p.counter),
        eb.and([eb('counter', '=', 0), eb('counter', '=', p.counter)]),
      ]),
    ),
);

/** Undefined if the user has no such passkey. */
export const renamePasskeyRow = writeFirst<
  { id: number; user_id: number; name: string },
  PasskeyRow
>((db, p) =>
  db
    .updateTable('passkeys')
    .set({ name: p.name })
    .where('id', '=', p.id)
    .where('user_id', '=', p.user_id)
    .returningAll(),
);

export const removePasskeyRow = removeOneFrom('passkeys', 'id', 'user_id');

export const removePasskeys = removeFrom('passkeys', 'user_id');
