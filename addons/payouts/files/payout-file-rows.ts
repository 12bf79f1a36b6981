import { sql } from 'kysely';
import type { Reader, Transaction } from '../../../src/db/database.ts';
import { pagedList } from '../../../src/db/lists/paged-list.ts';
import { write } from '../../../src/db/statements/calls.ts';
import { byNumber } from '../../../src/db/statements/keyed-query.ts';
import { query } from '../../../src/db/statements/query.ts';
import { rowQuery } from '../../../src/db/statements/row-query.ts';
import { insertRows } from '../../../src/db/statements/rows-query.ts';
import type { RowOf } from '../../../src/db/tables.ts';
import type { Site } from '../../../src/kernel/declare/site.ts';
import type { SecretLocation } from '../../../src/shared/secrets.ts';

/** A file without its content, with the name of the user who made it. */
export type PayoutFileRow = Omit<RowOf<'payout_files'>, 'content'> & {
  display_name: string | null;
  has_content: number;
};

type NewFile = Pick<RowOf<'payout_files'>, 'format' | 'name' | 'payouts' | 'total'> & {
  created_at: number;
  created_by: number;
};

const insert = rowQuery<NewFile, { id: number }>((db, row) =>
  db
    .insertInto('payout_files')
    .values({ ...row, content: sql.lit('') })
    .returning('id'),
);

const setContent = query<{ id: number; content: string }>((db, p) =>
  db.updateTable('payout_files').set({ content: p.content }).where('id', '=', p.id),
);

const insertItems = insertRows<{ file_id: number; payout_id: number }>('payout_file_items');

/** Stores a file, encrypted, with the payouts that it pays. Returns its id. */
export async function insertFile(
  tx: Transaction,
  { keyring }: Site,
  file: NewFile,
  content: string,
  payoutIds: readonly number[],
): Promise<number> {
  const { id } = (await tx.first(insert, file))!;
  // The encryption binds the content to the row's id, which is known only now.
  await tx.run(setContent, { id, content: keyring.encrypt(contentPlace(id), content) });
  await tx.runMany(
    insertItems,
    payoutIds.map((payout_id) => ({ file_id: id, payout_id })),
  );
  return id;
}

const latest = byNumber<{ payout_id: number; file_id: number }>((db, isKey) =>
  db
    .selectFrom('payout_file_items')
    .select((eb) => ['payout_id', eb.fn.max('file_id').as('file_id')])
    .where(isKey('payout_id'))
    .groupBy('payout_id'),
);

/** The newest file of each payout that is in one. */
export async function findFilesOf(
  db: Reader,
  payoutIds: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  const rows = await db.allByKeys(latest, payoutIds);
  return new Map(rows.map(({ payout_id, file_id }) => [payout_id, file_id]));
}

export const fileList = pagedList(
  (db) => db.selectFrom('payout_files as f'),
  (q) =>
    q
      .leftJoin('users', 'users.id', 'f.created_by')
      .select([
        'f.id',
        'f.format',
        'f.name',
        'f.payouts',
        'f.total',
        'f.created_at',
        'f.created_by',
      ])
      .select('users.display_name')
      .select(sql<number>`case when f.content = '' then 0 else 1 end`.as('has_content'))
      .orderBy('f.id', 'desc'),
);

const byId = query<{ id: number }, RowOf<'payout_files'> & { display_name: string | null }>(
  (db, p) =>
    db
      .selectFrom('payout_files')
      .leftJoin('users', 'users.id', 'payout_files.created_by')
      .selectAll('payout_files')
      .select('users.display_name')
      .where('payout_files.id', '=', p.id),
);

const itemsOf = query<{ id: number }, { payout_id: number }>((db, p) =>
  db
    .selectFrom('payout_file_items')
    .select('payout_id')
    .where('file_id', '=', p.id)
    .orderBy('payout_id'),
);

/** A file with its decrypted content, which is undefined once a person in it was erased. */
export async function findFile(db: Reader, { keyring }: Site, id: number) {
  const row = await db.first(byId, { id });
  if (!row) return undefined;
  const { content: sealed, ...file } = row;
  const content = sealed === '' ? undefined : keyring.decrypt(contentPlace(id), sealed);
  const items = await db.all(itemsOf, { id });
  return {
    file: { ...file, has_content: content === undefined ? 0 : 1 },
    content,
    payoutIds: items.map(({ payout_id }) => payout_id),
  };
}

/** Erases the content of the files with a destination of this person. */
export const eraseFilesOf = write<{ user_id: number }>((db, p) =>
  db
    .updateTable('payout_files')
    .set({ content: sql.lit('') })
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('payout_file_items as i')
        .innerJoin('payouts', 'payouts.id', 'i.payout_id')
        .select('i.file_id')
        .where('payouts.user_id', '=', p.user_id),
    ),
);

function contentPlace(id: number): SecretLocation {
  return { table: 'payout_files', column: 'content', row: id };
}
