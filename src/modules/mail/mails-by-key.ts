import type { Reader } from '../../db/database.ts';
import { byText } from '../../db/statements/keyed-query.ts';
import type { OutboxRow } from './outbox-store.ts';

type QueuedMail = Pick<
  OutboxRow,
  'id' | 'template' | 'to_name' | 'subject' | 'state' | 'created_at' | 'sent_at'
>;

const byKey = byText<QueuedMail>((db, isKey) =>
  db
    .selectFrom('outbox')
    .select(['id', 'template', 'to_name', 'subject', 'state', 'created_at', 'sent_at'])
    .where(isKey('key'))
    .orderBy('id'),
);

/** The mails with these keys, without their texts. Sent mails are deleted after a while. */
export function findMailsByKey(db: Reader, keys: readonly string[]): Promise<QueuedMail[]> {
  return db.allByKeys(byKey, keys);
}
