import { randomInt } from 'node:crypto';
import type { Transaction } from '../../db/database.ts';
import { removeFrom } from '../../db/statements/plain-calls.ts';
import { query } from '../../db/statements/query.ts';
import { insertRows } from '../../db/statements/rows-query.ts';
import type { RowOf } from '../../db/tables.ts';
import type { Site } from '../../kernel/declare/site.ts';

const CODES = 10;
/** Without letters and digits that look alike: 32 characters, so that ten of them have 50 bits. */
const ALPHABET = 'abcdefghijkmnpqrstuvwxyz23456789';
const LENGTH = 10;

const insert = insertRows<RowOf<'recovery_codes'>>('recovery_codes');

const use = query<RowOf<'recovery_codes'>>((db, p) =>
  db
    .deleteFrom('recovery_codes')
    .where('user_id', '=', p.user_id)
    .where('code_hash', '=', p.code_hash),
);

export const removeCodes = removeFrom('recovery_codes', 'user_id');

/** Replaces all codes of a user. The new ones are returned once and stored as hashes. */
export async function renewCodes(tx: Transaction, site: Site, userId: number): Promise<string[]> {
  await tx.lock(`recovery codes ${userId}`);
  await removeCodes(tx, { user_id: userId });
  const codes = Array.from({ length: CODES }, newCode);
  await tx.runMany(
    insert,
    codes.map((code) => ({ user_id: userId, code_hash: hashOf(site, userId, code) })),
  );
  return codes;
}

/** Uses a code up. Returns false if it is wrong or was used before. */
export async function takeCode(
  tx: Transaction,
  site: Site,
  userId: number,
  code: string,
): Promise<boolean> {
  return (await tx.run(use, { user_id: userId, code_hash: hashOf(site, userId, code) })) === 1;
}

/** In two halves, which are easier to type: `k7wqh-2mfza`. */
function newCode(): string {
  const letters = Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]);
  return `${letters.slice(0, LENGTH / 2).join('')}-${letters.slice(LENGTH / 2).join('')}`;
}

/** As typed by people: without the dash, with spaces or in capitals. */
function hashOf({ keyring }: Site, userId: number, code: string): string {
  const letters = code.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
  return keyring.hash('recovery code', `${userId} ${letters}`);
}
