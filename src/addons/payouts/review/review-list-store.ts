import { sql, type Kysely } from 'kysely';
import type { Reader } from '../../../db/database.ts';
import type { Dialect } from '../../../db/dialect.ts';
import { query, type Query } from '../../../db/statements/query.ts';
import type { Tables } from '../../../db/tables.ts';
import { sumDays } from '../payout-days.ts';
import type { PayoutStatus } from '../payout-status.ts';
import { selectPayouts, type PayoutRow } from '../payout-store.ts';

export interface ReviewFilter {
  /** One status, or a JSON array of several. */
  status?: PayoutStatus | undefined;
  statuses?: string | undefined;
  user_id?: number | undefined;
  method?: string | undefined;
  /** A pattern for `like`, in lower case, with what it was made from and the payout id that it may be. */
  pattern?: string | undefined;
  reference?: string | undefined;
  number?: number | undefined;
  /** The first and the last day of the request. */
  first?: string | undefined;
  last?: string | undefined;
}

interface Slice {
  readonly limit: number;
  readonly offset: number;
}

/** The columns of each sort order. An index exists for each, alone and behind the status. */
const sortColumns = {
  created: 'requested_day',
  updated: 'changed_at',
  amount: 'amount',
} as const;

type SortColumn = keyof typeof sortColumns;
export type ReviewSort = SortColumn | `-${SortColumn}`;
export const reviewSorts: readonly ReviewSort[] = [
  '-created',
  'created',
  '-updated',
  'updated',
  '-amount',
  'amount',
];

export type ReviewRow = PayoutRow & {
  login: string;
  retried_by: number | null;
  file_id: number | null;
};

const like = (column: string, pattern: string) =>
  sql<boolean>`${sql.ref(column)} like ${pattern} escape '\\'`;

function filtered(
  db: Kysely<Tables>,
  p: ReviewFilter,
  given: (name: keyof ReviewFilter) => boolean,
  dialect: Dialect,
) {
  return (
    db
      .selectFrom('payouts as p')
      // Without a range there is no condition, so that the index of the sort order is used.
      .$if(given('first'), (q) => q.where('p.requested_day', '>=', p.first!))
      .$if(given('last'), (q) => q.where('p.requested_day', '<=', p.last!))
      .$if(given('status'), (q) => q.where('p.status', '=', p.status!))
      .$if(given('statuses'), (q) => q.where(dialect.inJsonArray('p.status', p.statuses, 'text')))
      .$if(given('user_id'), (q) => q.where('p.user_id', '=', p.user_id!))
      .$if(given('method'), (q) => q.where('p.method_type', '=', p.method!))
      .$if(given('pattern'), (q) => q.where('p.id', 'in', found(db, p)))
  );
}

/** Each part uses an index of the payouts; the names are compared one by one. */
function found(db: Kysely<Tables>, p: ReviewFilter) {
  const payouts = db.selectFrom('payouts').select('payouts.id');
  return payouts
    .where('payouts.id', '=', p.number!)
    .union(payouts.where('payouts.transaction_id', '=', p.reference!).where(hasReference))
    .union(payouts.where('payouts.user_id', 'in', usersLike(db, p.pattern!)))
    .union(payouts.where('payouts.coupon_id', 'in', couponsLike(db, p.pattern!)));
}

/** As in the partial index payouts_by_reference. */
const hasReference = sql<boolean>`transaction_id <> ''`;

function usersLike(db: Kysely<Tables>, pattern: string) {
  return db
    .selectFrom('users')
    .select('users.id')
    .where((eb) =>
      eb.or([
        like('users.login_folded', pattern),
        like('users.email_folded', pattern),
        like('users.display_name_folded', pattern),
      ]),
    );
}

function couponsLike(db: Kysely<Tables>, pattern: string) {
  return db.selectFrom('coupons').select('coupons.id').where(like('coupons.code_folded', pattern));
}

const count = query<ReviewFilter, { total: number }>((db, p, given, dialect) =>
  filtered(db, p, given, dialect).select((eb) => eb.fn.countAll<number>().as('total')),
);

/** Selects the ids from an index before it joins, so skipped rows are not read. */
function pageBy(sort: ReviewSort): Query<ReviewFilter & Slice, ReviewRow> {
  const direction = sort.startsWith('-') ? 'desc' : 'asc';
  // The cast is safe: a sort is the name of a column, with or without a minus.
  const column = sortColumns[sort.replace('-', '') as SortColumn];
  return query((db, p, given, dialect) =>
    selectPayouts(db)
      .select('users.login')
      .select((eb) => [
        eb
          .selectFrom('payouts as r')
          .select('r.id')
          .whereRef('r.retry_of', '=', 'payouts.id')
          .as('retried_by'),
        eb
          .selectFrom('payout_file_items as i')
          .select((e) => e.fn.max('i.file_id').as('file_id'))
          .whereRef('i.payout_id', '=', 'payouts.id')
          .as('file_id'),
      ])
      .where(
        'payouts.id',
        'in',
        filtered(db, p, given, dialect)
          .select('p.id')
          .orderBy(`p.${column}`, direction)
          .orderBy('p.id', direction)
          .limit(p.limit)
          .offset(p.offset),
      )
      .orderBy(`payouts.${column}`, direction)
      .orderBy('payouts.id', direction),
  );
}

const pages = new Map(reviewSorts.map((sort) => [sort, pageBy(sort)]));

/** A total of all payouts, or of one status, comes from the daily sums. */
export async function countForReview(db: Reader, filter: ReviewFilter): Promise<number> {
  const { statuses, user_id, method, pattern } = filter;
  const isNarrow = [statuses, user_id, method, pattern].some((value) => value !== undefined);
  if (isNarrow) return (await db.first(count, filter))!.total;
  const { status, first = '0000-00-00', last = '9999-99-99' } = filter;
  return (await sumDays(db, 'requested', { status, first, last })).payouts;
}

export function listForReview(
  db: Reader,
  filter: ReviewFilter,
  sort: ReviewSort,
  { limit, offset }: Slice,
): Promise<ReviewRow[]> {
  return db.all(pages.get(sort)!, { ...filter, limit, offset });
}
