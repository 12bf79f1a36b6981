import { figureColumns } from '../../db/statements/columns.ts';
import type { Figures } from '../coupons/index.ts';
import { sql } from 'kysely';
import { readOne } from '../../db/statements/calls.ts';

export interface InRange {
  first: string;
  last: string;
}

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
