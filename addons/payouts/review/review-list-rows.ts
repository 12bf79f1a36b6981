import { sql, type Kysely, type SelectQueryBuilder, type SqlBool } from 'kysely';
import type { Reader } from '../../../src/db/database.ts';
import type { Dialect } from '../../../src/db/dialect.ts';
import { givenTerms, hasWord, longIfSearched, type Terms } from '../../../src/db/lists/search.ts';
import { rowsInOrder, sortedIds, type Sort } from '../../../src/db/lists/sorted-ids.ts';
import { beginsWith } from '../../../src/db/statements/begins-with.ts';
import { rowsByNumber } from '../../../src/db/statements/keyed-query.ts';
import { query } from '../../../src/db/statements/query.ts';
import type { Tables } from '../../../src/db/tables.ts';
import type { Slice } from '../../../src/shared/pagination.ts';
import { sumDays } from '../payout/payout-days.ts';
import { selectPayouts, type PayoutRow } from '../payout/payout-rows.ts';
import type { PayoutStatus } from '../payout/payout-status.ts';

export interface ReviewFilter extends Terms {
  /** One status, or a JSON array of several. */
  status?: PayoutStatus | undefined;
  statuses?: string | undefined;
  user_id?: number | undefined;
  method?: string | undefined;
  /** What is searched, with the payout id and the beginnings of a coupon code and of words of names that it may be. */
  reference?: string | undefined;
  number?: number | undefined;
  code?: string | undefined;
  /** The first and the last day of the request. */
  first?: string | undefined;
  last?: string | undefined;
}

/** The columns of each sort order. An index exists for each, alone and behind the status. */
const sortColumns = {
  created: 'requested_day',
  updated: 'changed_at',
  amount: 'amount',
} as const;

type SortColumn = keyof typeof sortColumns;
export type ReviewSort = Sort<SortColumn>;
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

type Given = (name: keyof ReviewFilter) => boolean;

/** Applies all filters except the text search. */
function filtered(db: Kysely<Tables>, p: ReviewFilter, given: Given, dialect: Dialect) {
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
  );
}

function matching(db: Kysely<Tables>, p: ReviewFilter, given: Given, dialect: Dialect) {
  return filtered(db, p, given, dialect).$if(given('reference'), (q) =>
    q.where('p.id', 'in', found(db, p, given)),
  );
}

/** The ids of all payouts that a search finds. Each part uses an index. */
function found(db: Kysely<Tables>, p: ReviewFilter, given: Given) {
  const terms = givenTerms(p, given);
  const named = ofNamed(db, db.selectFrom('payouts as p').select('p.id'), terms);
  return foundAlone(db, p).$if(terms.length > 0, (q) => q.union(named));
}

/** The ids of the payouts that a search finds by themselves or by their coupon. */
function foundAlone(db: Kysely<Tables>, p: ReviewFilter) {
  const payouts = db.selectFrom('payouts').select('payouts.id');
  return payouts
    .where('payouts.id', '=', p.number!)
    .union(payouts.where('payouts.transaction_id', '=', p.reference!).where(hasReference))
    .union(payouts.where('payouts.coupon_id', 'in', couponsBeginning(db, p.code!)));
}

/** Those of affiliates whose names have all terms. */
function ofNamed<O>(
  db: Kysely<Tables>,
  payouts: SelectQueryBuilder<Tables & { p: Tables['payouts'] }, 'p', O>,
  terms: readonly unknown[],
) {
  return terms.reduce<typeof payouts>(
    (q, term, i) => q.where(i === 0 ? 'p.user_id' : userIdChecked, 'in', usersNamed(db, term)),
    payouts,
  );
}

/** Searching the index by two lists of ids would try every pair of them. */
const userIdChecked = sql<number>`(p.user_id + 0)`;

/** As in the partial index payouts_by_reference. */
const hasReference = sql<boolean>`transaction_id <> ''`;

/** Whether a search finds one payout. */
function isFound(db: Kysely<Tables>, p: ReviewFilter, given: Given) {
  const terms = givenTerms(p, given);
  const ofCoupon = couponsBeginning(db, p.code!).where(
    'coupons.id',
    '=',
    sql.ref<number>('p.coupon_id'),
  );
  const ways = [
    sql`p.id = ${p.number}`,
    sql`p.transaction_id = ${p.reference}`,
    lookedUp(ofCoupon),
    ...(terms.length > 0 ? [isNamed(db, terms)] : []),
  ];
  return sql<SqlBool>`(${sql.join(ways, sql` or `)})`;
}

/** Whether the affiliate of one payout has all terms in its names. */
function isNamed(db: Kysely<Tables>, terms: readonly unknown[]) {
  const each = terms.map((term) =>
    lookedUp(usersNamed(db, term).where('roster_words.user_id', '=', sql.ref<number>('p.user_id'))),
  );
  return sql<SqlBool>`(${sql.join(each, sql` and `)})`;
}

/** With `offset 0` PostgreSQL looks up each payout; without it, it would first collect all that any payout could have. */
function lookedUp<DB, TB extends keyof DB, O>(one: SelectQueryBuilder<DB, TB, O>) {
  return sql`exists ${one.limit(sql.lit(1)).offset(sql.lit(0))}`;
}

/** The words also hold the codes of the affiliate's coupons, which `couponsBeginning` finds with their own payouts. */
function usersNamed(db: Kysely<Tables>, term: unknown) {
  const names = sql`users.login_folded || ' ' || users.email_folded || ' ' || users.display_name_folded`;
  return (
    db
      .selectFrom('roster_words')
      .innerJoin('users', 'users.id', 'roster_words.user_id')
      .select('roster_words.user_id')
      .where(hasWord(term))
      // A term has letters and digits only.
      .where(sql<boolean>`${names} like '%' || ${term} || '%'`)
  );
}

function couponsBeginning(db: Kysely<Tables>, code: string) {
  return db
    .selectFrom('coupons')
    .select('coupons.id')
    .where(beginsWith('coupons.code_folded', code));
}

/**
 * Those of named affiliates are counted alone: collecting their ids with the others, without duplicates, takes five
 * times as long for a word that many names have.
 */
const count = query<ReviewFilter, { total: number }>((db, p, given, dialect) => {
  const terms = givenTerms(p, given);
  const total = sql<number>`count(*)`.as('total');
  if (terms.length === 0) return matching(db, p, given, dialect).select(total);
  const all = filtered(db, p, given, dialect);
  const named = ofNamed(db, all, terms).select(total);
  const others = all
    .where('p.id', 'in', foundAlone(db, p))
    .where(sql<SqlBool>`not ${isNamed(db, terms)}`)
    .select(total);
  return db.selectNoFrom(sql<number>`(${named}) + (${others})`.as('total'));
}, longIfSearched);

/** The casts are safe: these are the names of the columns. */
const idsOf = sortedIds<SortColumn, ReviewFilter>(
  Object.keys(sortColumns) as SortColumn[],
  (column, direction, matches) => (db, p, given, dialect) =>
    (matches === 'few'
      ? matching(db, p, given, dialect)
      : filtered(db, p, given, dialect).where(isFound(db, p, given))
    )
      .select('p.id')
      .orderBy(`p.${sortColumns[column]}`, direction)
      .orderBy('p.id', direction),
);

const rows = rowsByNumber<ReviewRow>('id', (db, isKey) =>
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
    .where(isKey('payouts.id')),
);

/** A total of all payouts, or of one status, comes from the daily sums. */
export async function countForReview(db: Reader, filter: ReviewFilter): Promise<number> {
  const { statuses, user_id, method, reference } = filter;
  const isNarrow = [statuses, user_id, method, reference].some((value) => value !== undefined);
  if (isNarrow) return (await db.first(count, filter))!.total;
  const { status, first = '0000-00-00', last = '9999-99-99' } = filter;
  return (await sumDays(db, 'requested', { status, first, last })).payouts;
}

/** Only a search is a filter that a walk along an index would have to check. */
export async function listForReview(
  db: Reader,
  filter: ReviewFilter,
  sort: ReviewSort,
  slice: Slice,
  matches: number,
): Promise<ReviewRow[]> {
  const total = filter.reference === undefined ? undefined : matches;
  return rowsInOrder(db, rows, await idsOf(db, filter, { sort, total, ...slice }));
}
