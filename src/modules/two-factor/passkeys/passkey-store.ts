import type { Selectable } from 'kysely';
import type { Reader, Transaction } from '../../../db/database.ts';
import { query } from '../../../db/statements/query.ts';
import type { PasskeysTable } from '../tables.ts';

export type PasskeyRow = Selectable<PasskeysTable>;
type NewPasskey = Omit<PasskeyRow, 'id' | 'last_used_at'>;

const insert = query<NewPasskey, PasskeyRow>((db, p) =>
  db
    .insertInto('passkeys')
    .values({
      user_id: p.user_id,
      name: p.name,
      credential_id: p.credential_id,
      public_key: p.public_key,
      counter: p.counter,
      transports: p.transports,
      created_at: p.created_at,
    })
    .returningAll(),
);

const ofUser = query<{ user_id: number }, PasskeyRow>((db, p) =>
  db.selectFrom('passkeys').selectAll().where('user_id', '=', p.user_id).orderBy('id'),
);

const byCredential = query<{ credential_id: string }, PasskeyRow>((db, p) =>
  db.selectFrom('passkeys').selectAll().where('credential_id', '=', p.credential_id),
);

/** The counter must grow, unless the authenticator does not count. */
const use = query<{ id: number; counter: number; now: number }>((db, p) =>
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

const rename = query<{ id: number; user_id: number; name: string }, PasskeyRow>((db, p) =>
  db
    .updateTable('passkeys')
    .set({ name: p.name })
    .where('id', '=', p.id)
    .where('user_id', '=', p.user_id)
    .returningAll(),
);

const remove = query<{ id: number; user_id: number }>((db, p) =>
  db.deleteFrom('passkeys').where('id', '=', p.id).where('user_id', '=', p.user_id),
);

const removeAll = query<{ user_id: number }>((db, p) =>
  db.deleteFrom('passkeys').where('user_id', '=', p.user_id),
);

export async function insertPasskey(tx: Transaction, passkey: NewPasskey): Promise<PasskeyRow> {
  return (await tx.first(insert, passkey))!;
}

export function listPasskeyRows(db: Reader, userId: number): Promise<PasskeyRow[]> {
  return db.all(ofUser, { user_id: userId });
}

export function findPasskey(db: Reader, credentialId: string): Promise<PasskeyRow | undefined> {
  return db.first(byCredential, { credential_id: credentialId });
}

/** Returns false if the counter did not grow, as with a copied authenticator or a replayed response. */
export async function usePasskeyRow(
  tx: Transaction,
  id: number,
  counter: number,
  nowMs: number,
): Promise<boolean> {
  return (await tx.run(use, { id, counter, now: nowMs })) === 1;
}

/** Undefined if the user has no such passkey. */
export function renamePasskeyRow(
  tx: Transaction,
  passkey: { id: number; user_id: number; name: string },
): Promise<PasskeyRow | undefined> {
  return tx.first(rename, passkey);
}

export async function removePasskeyRow(
  tx: Transaction,
  id: number,
  userId: number,
): Promise<boolean> {
  return (await tx.run(remove, { id, user_id: userId })) === 1;
}

export function removePasskeys(tx: Transaction, userId: number): Promise<number> {
  return tx.run(removeAll, { user_id: userId });
}
