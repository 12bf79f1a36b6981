import { sql, type SqlBool } from 'kysely';
import type { Transaction } from '../../db/database.ts';
import { writeOne } from '../../db/statements/calls.ts';
import { updateInBatches } from '../../db/statements/in-batches.ts';
import { findIn, removeOneFrom } from '../../db/statements/plain-calls.ts';
import { query } from '../../db/statements/query.ts';
import type { RowOf } from '../../db/tables.ts';
import type { Site } from '../../kernel/declare/site.ts';
import type { SecretLocation } from '../../shared/secrets.ts';
import { currentStep } from './totp.ts';

export type TotpRow = RowOf<'totp_secrets'>;

export const findTotp = findIn('totp_secrets', 'user_id');

/** Replaces a secret that was never confirmed; a confirmed one stays. */
const save = query<Omit<TotpRow, 'confirmed_at'>>((db, p) => {
  const fresh = { secret: p.secret, last_step: p.last_step, created_at: p.created_at };
  return db
    .insertInto('totp_secrets')
    .values({ user_id: p.user_id, confirmed_at: null, ...fresh })
    .onConflict((conflict) =>
      conflict.column('user_id').doUpdateSet(fresh).where('totp_secrets.confirmed_at', 'is', null),
    );
});

/** Returns false if the secret was replaced or confirmed in the meantime. */
export const confirmTotpRow = writeOne<{
  user_id: number;
  secret: string;
  step: number;
  now: number;
}>((db, p) =>
  db
    .updateTable('totp_secrets')
    .set({ confirmed_at: p.now, last_step: p.step })
    .where('user_id', '=', p.user_id)
    .where('secret', '=', p.secret)
    .where('confirmed_at', 'is', null),
);

/** Returns false if a code of this step, or of a later one, was used before. */
export const useTotpStep = writeOne<{ user_id: number; secret: string; step: number }>((db, p) =>
  db
    .updateTable('totp_secrets')
    .set({ last_step: p.step })
    .where('user_id', '=', p.user_id)
    .where('secret', '=', p.secret)
    .where('confirmed_at', 'is not', null)
    .where('last_step', '<', p.step),
);

export const removeTotpRow = removeOneFrom('totp_secrets', 'user_id');

const correct = updateInBatches<{ step: number }>('totp_secrets', 'user_id', (p) => ({
  set: sql`last_step = ${p.step}`,
  where: sql<SqlBool>`last_step > ${p.step}`,
}));

/** Returns false if the user has a confirmed secret, which is not replaced. */
export async function saveTotp(
  tx: Transaction,
  site: Site,
  userId: number,
  secret: string,
  nowMs: number,
): Promise<boolean> {
  const changed = await tx.run(save, {
    user_id: userId,
    secret: site.keyring.encrypt(placeOf(userId), secret),
    last_step: 0,
    created_at: nowMs,
  });
  return changed === 1;
}

export function readSecret({ keyring }: Site, row: TotpRow): string {
  return keyring.decrypt(placeOf(row.user_id), row.secret);
}

/** A code that was accepted while the clock was ahead must not make all codes until then unusable. */
export function correctSteps({ database }: Site, nowMs: number): Promise<void> {
  // The code of the next step may have been accepted with a right clock.
  return correct(database, { step: currentStep(nowMs) + 1 });
}

function placeOf(userId: number): SecretLocation {
  return { table: 'totp_secrets', column: 'secret', row: userId };
}
