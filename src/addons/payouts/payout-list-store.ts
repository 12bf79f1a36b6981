import type { Kysely } from 'kysely';
import type { Reader } from '../../db/database.ts';
import { query } from '../../db/statements/query.ts';
import type { Tables } from '../../db/tables.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { dayAt, sumDays } from './payout-days.ts';
import { selectPayouts, type PayoutRow } from './payout-store.ts';

export interface PayoutFilter {
  user_id?: number | undefined;
  coupon_id?: number | undefined;
  status?: string | undefined;
  /** The first and the last day of the request. */
  first: string;
  last: string;
}

/** From here on the days before a page are skipped by their sums. */
const SKIP_FROM = 1_000;

function filtered(
  db: Kysely<Tables>,
  p: PayoutFilter,
  given: (name: keyof PayoutFilter) => boolean,
) {
  return db
    .selectFrom('payouts as p')
    .where('p.requested_day', '>=', p.first)
    .where('p.requested_day', '<=', p.last)
    .$if(given('user_id'), (q) => q.where('p.user_id', '=', p.user_id!))
    .$if(given('coupon_id'), (q) => q.where('p.coupon_id', '=', p.coupon_id!))
    .$if(given('status'), (q) => q.where('p.status', '=', p.status!));
}

const count = query<PayoutFilter, { total: number }>((db, p, given) =>
  filtered(db, p, given).select((eb) => eb.fn.countAll<number>().as('total')),
);

/** The ids along an index first, then their rows: what is skipped is not read. */
const page = query<PayoutFilter & { limit: number; offset: number }, PayoutRow>((db, p, given) =>
  selectPayouts(db)
    .where(
      'payouts.id',
      'in',
      filtered(db, p, given)
        .select('p.id')
        .orderBy('p.requested_day', 'desc')
        .orderBy('p.id', 'desc')
        .limit(p.limit)
        .offset(p.offset),
    )
    .orderBy('payouts.requested_day', 'desc')
    .orderBy('payouts.id', 'desc'),
);

/** One affiliate's or one coupon's are few; all of them are known from the daily sums. */
export async function countPayouts(db: Reader, filter: PayoutFilter): Promise<number> {
  if (isOfOne(filter)) return (await db.first(count, filter))!.total;
  return (await sumDays(db, 'requested', filter)).payouts;
}

export async function listPayoutRows(
  db: Reader,
  site: Site,
  filter: PayoutFilter,
  { limit, offset }: { limit: number; offset: number },
): Promise<PayoutRow[]> {
  if (isOfOne(filter) || offset < SKIP_FROM) return db.all(page, { ...filter, limit, offset });
  return db.all(page, { ...filter, limit, ...(await dayAt(db, site, filter, offset)) });
}

function isOfOne({ user_id, coupon_id }: PayoutFilter): boolean {
  return user_id !== undefined || coupon_id !== undefined;
}
