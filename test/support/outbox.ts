import { query } from '../../src/db/statements/query.ts';
import type { Site } from '../../src/kernel/declare/site.ts';

interface OutboxMail {
  template: string;
  to_address: string;
  to_name: string;
  subject: string;
  text: string;
  html: string;
  attempts: number;
}

const all = query<object, OutboxMail>((db) => db.selectFrom('outbox').selectAll().orderBy('id'));

/** All mails in the outbox, oldest first, read from the database. */
export function outbox(site: Site): Promise<OutboxMail[]> {
  return site.database.read.all(all, {});
}
