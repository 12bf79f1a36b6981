import type { Reader } from '../../db/database.ts';
import { isPluginAdmin, type Caller } from '../../kernel/declare/caller.ts';
import { ApiError, generalErrors } from '../../kernel/declare/errors.ts';
import { listAdministrators } from '../users/index.ts';
import { findMail, type OutboxRow } from './outbox-rows.ts';

/** Addresses whose mails the caller must not read. Those to administrators tell how their accounts are protected. */
export async function unreadableAddresses(db: Reader, caller: Caller): Promise<string[]> {
  if (isPluginAdmin(caller)) return [];
  return (await listAdministrators(db)).map(({ email }) => email);
}

/** A mail that the caller may not read is 404, like one that does not exist. */
export async function requireReadableMail(
  db: Reader,
  caller: Caller,
  id: number,
): Promise<OutboxRow> {
  const mail = await findMail(db, { id });
  if (!mail || (await unreadableAddresses(db, caller)).includes(mail.to_address)) {
    throw new ApiError(generalErrors.notFound);
  }
  return mail;
}
