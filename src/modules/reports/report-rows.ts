import { sql } from 'kysely';
import { readOne } from '../../db/statements/calls.ts';

export interface InRange {
  first: string;
  last: string;
}

export interface Sums {
  orders_count: number;
  total_sales: number;
  total_discount: number;
  total_shipping: number;
  total_commission: number;
  upline_commission: number;
}

export const total = (column: string) =>
  sql<number>`coalesce(sum(${sql.ref(column)}), 0)`.as(column.split('.').at(-1)!);

export const sumStore = readOne<InRange, Sums>((db, p) =>
  db
    .selectFrom('store_days')
    .select([
      total('orders_count'),
      total('total_sales'),
      total('total_discount'),
      total('total_shipping'),
      total('total_commission'),
      total('upline_commission'),
    ])
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
