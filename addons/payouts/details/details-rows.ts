import type { Transaction } from '../../../src/db/database.ts';
import { findIn } from '../../../src/db/statements/plain-calls.ts';
import { rowQuery } from '../../../src/db/statements/row-query.ts';
import type { RowOf } from '../../../src/db/tables.ts';
import type { Site } from '../../../src/kernel/declare/site.ts';
import { compactIban } from '../../../src/shared/iban.ts';
import type { SecretLocation } from '../../../src/shared/secrets.ts';

export const findDetails = findIn('payout_details', 'user_id');

const save = rowQuery<RowOf<'payout_details'>>((db, { user_id, ...changed }) =>
  db
    .insertInto('payout_details')
    .values({ user_id, ...changed })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(changed)),
);

export type Details = Record<string, unknown>;

export async function saveDetails(
  tx: Transaction,
  site: Site,
  { userId, methodType, details }: { userId: number; methodType: string; details: Details },
  nowMs: number,
): Promise<void> {
  await tx.run(save, {
    user_id: userId,
    method_type: methodType,
    details: site.keyring.encrypt(savedPlace(userId), JSON.stringify(details)),
    destination_hash: destinationHash(site, details),
    updated_at: nowMs,
  });
}

/** Decrypts what an affiliate has saved. */
export function readSavedDetails(
  { keyring }: Site,
  saved: Pick<RowOf<'payout_details'>, 'user_id' | 'details'>,
): Details {
  return parse(keyring.decrypt(savedPlace(saved.user_id), saved.details));
}

/** Decrypts the copy that a payout has; empty if the payout has none. */
export function readPayoutDetails(
  { keyring }: Site,
  payout: { id: number; details: string | null },
): Details {
  if (payout.details === null) return {};
  return parse(keyring.decrypt(payoutPlace(payout.id), payout.details));
}

export function encryptForPayout({ keyring }: Site, payoutId: number, details: Details): string {
  return keyring.encrypt(payoutPlace(payoutId), JSON.stringify(details));
}

/** The cast is safe: only JSON objects are stored, and the encryption detects any change. */
function parse(json: string): Details {
  return JSON.parse(json) as Details;
}

function savedPlace(userId: number): SecretLocation {
  return { table: 'payout_details', column: 'details', row: userId };
}

function payoutPlace(payoutId: number): SecretLocation {
  return { table: 'payouts', column: 'details', row: payoutId };
}

/** The keyed hash of the account that the details name, for comparisons; empty for store credit. */
function destinationHash(site: Pick<Site, 'keyring'>, details: Record<string, unknown>): string {
  const text = (name: string) => (typeof details[name] === 'string' ? details[name] : '');
  const account = [text('bank_code'), text('account_number'), text('account')].filter(Boolean);
  const named = text('iban') || text('email') || account.join(' ');
  return named === '' ? '' : hashOfAccount(site, named);
}

/** The same for an account as a person writes it. */
export function hashOfAccount({ keyring }: Pick<Site, 'keyring'>, account: string): string {
  return keyring.hash('payout destination', compactIban(account).toLowerCase());
}
