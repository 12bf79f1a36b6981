import type { Selectable } from 'kysely';
import type { Transaction } from '../../db/database.ts';
import { readFirst } from '../../db/statements/calls.ts';
import { query } from '../../db/statements/query.ts';
import { rowQuery } from '../../db/statements/row-query.ts';
import type { BrandLogosTable } from './tables.ts';

type Logo = Selectable<BrandLogosTable>;

export const findLogo = readFirst<{ name: string }, Logo>((db, p) =>
  db.selectFrom('brand_logos').selectAll().where('name', '=', p.name),
);

const insert = rowQuery<Logo>((db, row) => db.insertInto('brand_logos').values(row));

const clear = query<object>((db) => db.deleteFrom('brand_logos'));

/** Replaces the logo; undefined removes it. */
export async function saveLogo(tx: Transaction, logo: Logo | undefined): Promise<void> {
  await tx.run(clear, {});
  if (logo) await tx.run(insert, logo);
}
