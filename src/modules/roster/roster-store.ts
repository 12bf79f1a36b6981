import { sql, type Kysely, type RawBuilder, type SqlBool } from 'kysely';
import type { Reader } from '../../db/database.ts';
import { byNumber } from '../../db/statements/keyed-query.ts';
import { beginsWith } from '../../db/statements/begins-with.ts';
import { query, type Query } from '../../db/statements/query.ts';
import type { Tables } from '../../db/tables.ts';
import { fromTheEnd } from '../../shared/pagination.ts';
import type { AffiliateStatus } from '../affiliates/index.ts';
import type { UserRow } from '../users/index.ts';
import type { RosterTable } from './tables.ts';

/** The columns that have an index, by the name of the sort. */
const sortColumns = {
  name: 'name',
  created: 'registered_at',
  sales: 'sales',
  commission: 'commission',
  unpaid: 'unpaid',
  clicks: 'clicks',
  last_order: 'last_order_at',
} as const;

export type SortName = keyof typeof sortColumns;
type Sort = SortName | `-${SortName}`;
const names = Object.keys(sortColumns) as SortName[];
export const sorts: readonly Sort[] = names.flatMap((name) => [name, `-${name}` as const]);

export interface RosterFilter {
  status?: AffiliateStatus | undefined;
  group_id?: number | undefined;
  tag_id?: number | undefined;
  /** Beginnings of words; an affiliate has a word with each of them. */
  term1?: string | undefined;
  term2?: string | undefined;
  term3?: string | undefined;
}

type Given = (name: keyof RosterFilter) => boolean;
const terms = ['term1', 'term2', 'term3'] as const;

/** The condition that a word begins with this term, for a search of `roster_words`. */
export const hasWord = (term: unknown) => beginsWith('word', term);

interface Condition {
  readonly table: RawBuilder<unknown>;
  readonly where: RawBuilder<SqlBool>;
}

/** The conditions that other tables decide. */
function conditionsOf(p: RosterFilter, given: Given): Condition[] {
  const conditions: Condition[] = [];
  for (const term of terms) {
    if (!given(term)) continue;
    conditions.push({ table: sql.table('roster_words'), where: hasWord(p[term]) });
  }
  if (given('tag_id')) {
    const where = sql<SqlBool>`tag_id = ${p.tag_id}`;
    conditions.push({ table: sql.table('affiliate_tags'), where });
  }
  if (given('group_id')) {
    const where = sql<SqlBool>`group_id = ${p.group_id}`;
    conditions.push({ table: sql.table('affiliate_groups'), where });
  }
  return conditions;
}

/**
 * Begins with those that meet the first condition and checks the others. Each of several conditions on the column
 * itself would be used to search the index: SQLite then tries every pair of their affiliates.
 */
function matching(db: Kysely<Tables>, p: RosterFilter, given: Given) {
  return conditionsOf(p, given)
    .reduce((q, { table, where }, i) => {
      const userId = i === 0 ? sql`roster.user_id` : sql`(roster.user_id + 0)`;
      return q.where(sql<SqlBool>`${userId} in (select user_id from ${table} where ${where})`);
    }, db.selectFrom('roster'))
    .$if(given('status'), (q) => q.where('status', '=', p.status!));
}

const count = query<RosterFilter, { total: number }>((db, p, given) =>
  matching(db, p, given).select((eb) => eb.fn.countAll<number>().as('total')),
);

export async function countRoster(db: Reader, filter: RosterFilter): Promise<number> {
  return (await db.first(count, filter))!.total;
}

interface UnpaidRange {
  readonly from: number;
  readonly below: number;
}

const countUnpaid = query<UnpaidRange, { total: number }>((db, p) =>
  db
    .selectFrom('roster')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where('highest_unpaid', '>=', p.from)
    .where('highest_unpaid', '<', p.below),
);

/** The affiliates whose highest unpaid sum of a coupon is in this range, in minor units. */
export async function countWithUnpaid(db: Reader, range: UnpaidRange): Promise<number> {
  return (await db.first(countUnpaid, range))!.total;
}

type Page = RosterFilter & { limit: number; offset: number };

function sorted(
  q: ReturnType<typeof matching>,
  sort: Sort,
  column: (name: (typeof sortColumns)[SortName]) => RawBuilder<unknown>,
) {
  const direction = sort.startsWith('-') ? 'desc' : 'asc';
  const by = column(sortColumns[sort.replace('-', '') as SortName]);
  return q.select('user_id').orderBy(by, direction).orderBy('user_id', direction);
}

/** Collects the matches and sorts them: for filters that few meet. The expression keeps the planner off the index. */
function collected(sort: Sort): Query<Page, { user_id: number }> {
  const asExpression = (name: (typeof sortColumns)[SortName]) =>
    name === 'name' ? sql`name || ''` : sql`${sql.ref(name)} + 0`;
  return query((db, p, given) =>
    sorted(matching(db, p, given), sort, asExpression)
      .limit(p.limit)
      .offset(p.offset),
  );
}

/** Walks along the index of the sort, past those that do not match: for filters that many meet. */
function walked(sort: Sort): Query<Page, { user_id: number }> {
  return query((db, p, given) => {
    const q = conditionsOf(p, given).reduce(
      (of, { table, where }) =>
        of.where(
          sql<SqlBool>`exists (select 1 from ${table} as met
            where met.user_id = roster.user_id and ${where})`,
        ),
      db.selectFrom('roster'),
    );
    return sorted(q, sort, sql.ref)
      .$if(given('status'), (of) => of.where(sql`status || ''`, '=', p.status))
      .limit(p.limit)
      .offset(p.offset);
  });
}

const pages = new Map(
  sorts.map((sort) => [sort, { few: collected(sort), many: walked(sort) }] as const),
);

/** With more matches than this, a walk along the index passes few others before a page is full. */
const FEW_MAX = 3_000;

/** The affiliates on a page, in its order. */
export async function listRosterIds(
  db: Reader,
  filter: RosterFilter,
  { sort, total, limit, offset }: { sort: Sort; total: number; limit: number; offset: number },
): Promise<number[]> {
  const idsOf = async (statement: Query<Page, { user_id: number }>, page: Page) =>
    (await db.all(statement, { ...filter, ...page })).map(({ user_id }) => user_id);
  if (total <= FEW_MAX) return idsOf(pages.get(sort)!.few, { limit, offset });
  // A page in the second half is nearer to the end: it is walked to from there.
  const fromEnd = fromTheEnd({ limit, offset }, total);
  if (!fromEnd) return idsOf(pages.get(sort)!.many, { limit, offset });
  return (await idsOf(pages.get(reversed(sort))!.many, fromEnd)).toReversed();
}

const reversed = (sort: Sort): Sort =>
  // The cast is safe: both a name and a name with a minus sign are sorts.
  (sort.startsWith('-') ? sort.slice(1) : `-${sort}`) as Sort;

export type RosterEntry = Omit<RosterTable, 'name' | 'words' | 'highest_unpaid'> &
  Pick<UserRow, 'login' | 'email' | 'display_name' | 'role'>;

const entries = byNumber<RosterEntry>((db, isKey) =>
  db
    .selectFrom('roster')
    .innerJoin('users', 'users.id', 'roster.user_id')
    .select(['user_id', 'status', 'registered_at', 'sales', 'commission', 'unpaid'])
    .select(['orders_count', 'clicks', 'last_order_at'])
    .select(['users.login', 'users.email', 'users.display_name', 'users.role'])
    .where(isKey('user_id')),
);

/** The entries of these affiliates, in the same order. */
export async function findEntries(db: Reader, ids: readonly number[]): Promise<RosterEntry[]> {
  const found = await db.allByKeys(entries, ids);
  const byId = new Map(found.map((entry) => [entry.user_id, entry]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}
