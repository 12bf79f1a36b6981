import { sql, type Kysely, type RawBuilder, type SqlBool } from 'kysely';
import type { Reader } from '../../../db/database.ts';
import { readCount } from '../../../db/lists/paged-list.ts';
import {
  collected,
  givenTerms,
  hasWord,
  walked,
  type Condition,
  type Terms,
} from '../../../db/lists/search.ts';
import { rowsInOrder, sortedIds, type Sort } from '../../../db/lists/sorted-ids.ts';
import { rowsByNumber } from '../../../db/statements/keyed-query.ts';
import type { RowOf, Tables } from '../../../db/tables.ts';
import type { UserRow } from '../../users/index.ts';
import type { AffiliateStatus } from '../tables.ts';

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
const names = Object.keys(sortColumns) as SortName[];
export const sorts: readonly Sort<SortName>[] = names.flatMap((name) => [
  name,
  `-${name}` as const,
]);

export interface RosterFilter extends Terms {
  status?: AffiliateStatus | undefined;
  group_id?: number | undefined;
  tag_id?: number | undefined;
}

type Given = (name: keyof RosterFilter) => boolean;

/** The conditions that other tables decide. */
function conditionsOf(p: RosterFilter, given: Given): Condition[] {
  const has = (table: keyof Tables, where: RawBuilder<SqlBool>) => ({
    table,
    column: 'user_id',
    where,
  });
  return [
    ...givenTerms(p, given).map((term) => has('roster_words', hasWord(term))),
    ...(given('tag_id') ? [has('affiliate_tags', sql`tag_id = ${p.tag_id}`)] : []),
    ...(given('group_id') ? [has('affiliate_groups', sql`group_id = ${p.group_id}`)] : []),
  ];
}

function matching(db: Kysely<Tables>, p: RosterFilter, given: Given) {
  return collected(db.selectFrom('roster'), 'roster.user_id', conditionsOf(p, given)).$if(
    given('status'),
    (q) => q.where('status', '=', p.status!),
  );
}

function along(db: Kysely<Tables>, p: RosterFilter, given: Given) {
  return walked(db.selectFrom('roster'), 'roster.user_id', conditionsOf(p, given)).$if(
    given('status'),
    (q) => q.where(sql`status || ''`, '=', p.status),
  );
}

export const countRoster = readCount(matching);

interface UnpaidRange {
  readonly from: number;
  readonly below: number;
}

/** The affiliates whose highest unpaid sum of a coupon is in this range, in minor units. */
export const countWithUnpaid = readCount((db, p: UnpaidRange) =>
  db
    .selectFrom('roster')
    .where('highest_unpaid', '>=', p.from)
    .where('highest_unpaid', '<', p.below),
);

/** An expression keeps the planner off the index of a column. */
const unindexed = (column: string) =>
  column === 'name' ? sql`name || ''` : sql`${sql.ref(column)} + 0`;

/** The affiliates on a page, in its order. */
export const listRosterIds = sortedIds<SortName, RosterFilter>(
  names,
  (name, direction, matches) => {
    const column = sortColumns[name];
    const [rows, by] = matches === 'few' ? [matching, unindexed(column)] : [along, sql.ref(column)];
    return (db, p, given) =>
      rows(db, p, given)
        .select('user_id as id')
        .orderBy(by, direction)
        .orderBy('user_id', direction);
  },
);

export type RosterEntry = Omit<RowOf<'roster'>, 'name' | 'words' | 'highest_unpaid'> &
  Pick<UserRow, 'login' | 'email' | 'display_name' | 'role'>;

const entries = rowsByNumber<RosterEntry>('user_id', (db, isKey) =>
  db
    .selectFrom('roster')
    .innerJoin('users', 'users.id', 'roster.user_id')
    .select(['user_id', 'status', 'registered_at', 'sales', 'commission', 'unpaid'])
    .select(['orders_count', 'clicks', 'last_order_at'])
    .select(['users.login', 'users.email', 'users.display_name', 'users.role'])
    .where(isKey('user_id')),
);

/** The entries of these affiliates, in the same order. */
export const findEntries = (db: Reader, ids: readonly number[]) => rowsInOrder(db, entries, ids);
