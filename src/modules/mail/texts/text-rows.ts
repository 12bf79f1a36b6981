import type { Reader, Transaction } from '../../../db/database.ts';
import { insertRow, readAll, readFirst } from '../../../db/statements/calls.ts';
import { removeFrom } from '../../../db/statements/plain-calls.ts';
import { query } from '../../../db/statements/query.ts';
import type { RowOf } from '../../../db/tables.ts';
import type { Language } from '../../../shared/languages.ts';

export type OwnText = RowOf<'mail_texts'>;

const ofNames = query<{ names: string }, OwnText>((db, p, _given, dialect) =>
  db
    .selectFrom('mail_texts')
    .selectAll()
    .where(dialect.inJsonArray('mail_texts.name', p.names, 'text')),
);

type ListedText = OwnText & { updated_by_name: string };

export const listOwnTexts = readAll<object, ListedText>((db) =>
  db
    .selectFrom('mail_texts')
    .innerJoin('users', 'users.id', 'mail_texts.updated_by')
    .selectAll('mail_texts')
    .select('users.display_name as updated_by_name'),
);

export const findOwnText = readFirst<{ name: string; language: Language }, ListedText>((db, p) =>
  db
    .selectFrom('mail_texts')
    .innerJoin('users', 'users.id', 'mail_texts.updated_by')
    .selectAll('mail_texts')
    .select('users.display_name as updated_by_name')
    .where('name', '=', p.name)
    .where('mail_texts.language', '=', p.language),
);

export const saveOwnText = insertRow<OwnText>((db, { name, language, ...changed }) =>
  db
    .insertInto('mail_texts')
    .values({ name, language, ...changed })
    .onConflict((conflict) => conflict.columns(['name', 'language']).doUpdateSet(changed)),
);

export const removeOwnText = removeFrom('mail_texts', 'name', 'language');

/** The site's own texts of these mails, in every language that has one. */
export function findOwnTexts(db: Reader, names: readonly string[]): Promise<OwnText[]> {
  return db.all(ofNames, { names: JSON.stringify(names) });
}

/** A change depends on the text that is stored; until the transaction ends no other one replaces it. */
export function lockOwnText(tx: Transaction, name: string, language: Language): Promise<void> {
  return tx.lock(`mail text ${name} ${language}`);
}
