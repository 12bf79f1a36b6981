import type { Transaction } from '../../../src/db/database.ts';
import type { Site } from '../../../src/kernel/declare/site.ts';
import type { MailResult, Unsubscription } from '../../../src/modules/mail/index.ts';
import type { ReceiverState } from '../tables.ts';
import { idInSource, idsInKey } from './announcement-mail.ts';
import { addCounts, countUnsubscribed } from './announcement-rows.ts';
import { findReceiver, saveReceiver } from './receiver-rows.ts';

/** Keeps what became of a mail with its receiver, in the transaction in which the outbox records it. */
export async function recordResult(
  tx: Transaction,
  _site: Site,
  { key, state, error, nowMs }: MailResult,
): Promise<void> {
  const ids = idsInKey(key);
  if (!ids) return;
  const receiver = { announcement_id: ids.id, user_id: ids.userId };
  const before = await findReceiver(tx, receiver);
  if (!before || before.state === state) return;
  await saveReceiver(tx, { ...receiver, state, error, updated_at: nowMs });
  await addCounts(tx, { id: ids.id, ...changeOf(before.state, state) });
}

/** A mail that failed can be sent again by hand: then it is counted once, as sent. */
function changeOf(before: ReceiverState, after: ReceiverState) {
  const change = (state: ReceiverState) => Number(after === state) - Number(before === state);
  return {
    queued: change('queued'),
    sent: change('sent'),
    failed: change('failed'),
    unknown: change('unknown'),
  };
}

export async function recordUnsubscription(
  tx: Transaction,
  _site: Site,
  { source }: Unsubscription,
): Promise<void> {
  const id = idInSource(source);
  if (id !== undefined) await countUnsubscribed(tx, { id });
}
