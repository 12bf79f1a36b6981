import { sql, type SqlBool } from 'kysely';
import { readOne } from '../../db/statements/calls.ts';
import { figureColumns } from '../../db/statements/columns.ts';
import type { Figures } from '../coupons/index.ts';

export interface InRange {
  first: string;
  last: string;
}

/** The condition is in each part of a union, for its index. */
export const within = (table: string, { first, last }: InRange) =>
  sql<SqlBool>`${sql.ref(`${table}.day`)} >= ${first} and ${sql.ref(`${table}.day`)} <= ${last}`;

export const total = (column: string) =>
  sql<number>`coalesce(sum(${sql.ref(column)}), 0)`.as(column.split('.').at(-1)!);

export const sumStore = readOne<InRange, Figures>((db, p) =>
  db
    .selectFrom('store_days')
    .select(figureColumns.map((name) => total(name)))
    .where('day', '>=', p.first)
    .where('day', '<=', p.last),
);

export const sumClicks = readOne<InRange, { clicks: number; conversions: number }>((db, p) =>
  db
    .selectFrom('campaign_days')
    .select([total('clicks'), total('conversions')])
    .where('day', '>=', p.first)
    .where('day', '<=', p.last),
);
