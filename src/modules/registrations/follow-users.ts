import type { Transaction } from '../../db/database.ts';
import { wordsOf } from '../../db/lists/words.ts';
import { byNumber } from '../../db/statements/keyed-query.ts';
import { query } from '../../db/statements/query.ts';
import { insertRows } from '../../db/statements/rows-query.ts';
import type { RowOf } from '../../db/tables.ts';

interface Searched {
  id: number;
  coupon_code: string;
  website: string;
  login: string;
  email: string;
  display_name: string;
}

const applicationsOf = byNumber<Searched>((db, isKey) =>
  db
    .selectFrom('registrations')
    .innerJoin('users', 'users.id', 'registrations.user_id')
    .select(['registrations.id', 'registrations.coupon_code', 'registrations.website'])
    .select(['users.login', 'users.email', 'users.display_name'])
    .where(isKey('registrations.user_id')),
);

const removeWords = query<{ registration_id: number }>((db, p) =>
  db.deleteFrom('registration_words').where('registration_id', '=', p.registration_id),
);

const insertWords = insertRows<RowOf<'registration_words'>>('registration_words');

/** Writes the words that the applications of new and changed users are found by. */
export async function followUsers(tx: Transaction, userIds: readonly number[]): Promise<void> {
  for (const { id, ...texts } of await tx.allByKeys(applicationsOf, userIds)) {
    await tx.run(removeWords, { registration_id: id });
    const rows = wordsOf(Object.values(texts)).map((word) => ({ word, registration_id: id }));
    await tx.runMany(insertWords, rows);
  }
}
