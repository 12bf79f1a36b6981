import { query } from '../src/db/statements/query.ts';
import type { Site } from '../src/kernel/declare/site.ts';

interface WrittenMail {
  template: string;
  to_address: string;
  to_name: string;
  subject: string;
  text: string;
  html: string;
  attempts: number;
}

const all = query<object, WrittenMail>((db) => db.selectFrom('outbox').selectAll().orderBy('id'));

/** Every mail written, oldest first, read past the API. */
export function outbox(site: Site): Promise<WrittenMail[]> {
  return site.database.read.all(all, {});
}
