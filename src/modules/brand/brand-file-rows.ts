import type { Transaction } from '../../db/database.ts';
import { findIn } from '../../db/statements/plain-calls.ts';
import { query } from '../../db/statements/query.ts';
import { rowQuery } from '../../db/statements/row-query.ts';
import type { RowOf } from '../../db/tables.ts';

/** What the start of a name says about the file. */
export type BrandFileKind = 'logo' | 'picture';

export type BrandFile = RowOf<'brand_logos'>;

export const findBrandFile = findIn('brand_logos', 'name');

const insert = rowQuery<BrandFile>((db, row) => db.insertInto('brand_logos').values(row));

const clear = query<{ names: string }>((db, p) =>
  db.deleteFrom('brand_logos').where('name', 'like', p.names),
);

/** Replaces the logo or the picture; undefined removes it. */
export async function saveBrandFile(
  tx: Transaction,
  kind: BrandFileKind,
  file: BrandFile | undefined,
): Promise<void> {
  await tx.run(clear, { names: `${kind}-%` });
  if (file) await tx.run(insert, file);
}
