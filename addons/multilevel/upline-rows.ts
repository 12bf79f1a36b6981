import { sql, type Expression, type Kysely, type SqlBool } from 'kysely';
import type { Reader } from '../../src/db/database.ts';
import { insertRow, readAll } from '../../src/db/statements/calls.ts';
import { byNumber } from '../../src/db/statements/keyed-query.ts';
import { query } from '../../src/db/statements/query.ts';
import type { Tables } from '../../src/db/tables.ts';
import type { UserRow } from '../../src/modules/users/index.ts';

export type UplineMember = Omit<UserRow, 'password_hash' | 'disabled_at' | 'last_seen_at'> & {
  tier: number;
};

/**
 * The rows `up`: the uplines of the affiliates that meet a condition, up to a number of tiers. The statements of this
 * file join with `cross join`, which SQLite does not reorder: by statistics it takes the few rows of `up` for many, and
 * reads all affiliates instead.
 */
function withUplines(db: Kysely<Tables>, isBelow: Expression<SqlBool>, tiers: number) {
  return db.withRecursive('up(below_id, user_id, tier)', (cte) =>
    cte
      .selectFrom('affiliates')
      .select(['user_id as below_id', 'parent_id as user_id', sql<number>`1`.as('tier')])
      .where(isBelow)
      .where('parent_id', 'is not', null)
      .unionAll(
        cte
          .selectFrom('up')
          .crossJoin('affiliates')
          .select(['up.below_id', 'affiliates.parent_id as user_id'])
          .select(sql<number>`up.tier + 1`.as('tier'))
          .whereRef('affiliates.user_id', '=', 'up.user_id')
          .where('affiliates.parent_id', 'is not', null)
          .where('up.tier', '<', tiers),
      ),
  );
}

/** The upline of an affiliate, up to a number of tiers. */
export const findUpline = readAll<{ user_id: number; tiers: number }, UplineMember>((db, p) =>
  withUplines(db, sql<SqlBool>`user_id = ${p.user_id}`, p.tiers)
    .selectFrom('up')
    .crossJoin('users')
    .select([
      'up.tier',
      'users.id',
      'users.login',
      'users.login_folded',
      'users.email',
      'users.email_folded',
      'users.display_name',
      'users.role',
      'users.created_at',
    ])
    .whereRef('users.id', '=', 'up.user_id')
    .orderBy('up.tier'),
);

export interface EarningMember {
  /** The affiliate whose upline it belongs to. */
  below_id: number;
  tier: number;
  user_id: number;
  /** Its address: it earns nothing from its own purchases. */
  email: string;
  /** The coupon that its shares are posted to: the oldest active one of an affiliate who is not suspended. */
  coupon_id: number;
}

const earningUplines = query<{ user_ids: string; tiers: number }, EarningMember>(
  (db, p, _given, dialect) =>
    withUplines(db, dialect.inJsonArray('user_id', p.user_ids, 'number'), p.tiers)
      .selectFrom('up')
      .crossJoin('coupons')
      .innerJoin('users', 'users.id', 'up.user_id')
      .leftJoin('affiliates', 'affiliates.user_id', 'up.user_id')
      .select(['up.below_id', 'up.tier', sql<number>`up.user_id`.as('user_id'), 'users.email'])
      .select((eb) => eb.fn.min('coupons.id').as('coupon_id'))
      .whereRef('coupons.user_id', '=', 'up.user_id')
      .where((eb) => eb(eb.fn.coalesce('affiliates.status', sql.lit('active')), '=', 'active'))
      .where(dialect.unindexed('coupons.status'), '=', 'active')
      .groupBy(['up.below_id', 'up.tier', 'up.user_id', 'users.email'])
      .orderBy('up.tier'),
);

/** An affiliate and its whole upline. `union` without `all`, so that the recursion ends even in a loop. */
const inLine = query<{ from: number; id: number }, { found: number }>((db, p) =>
  db
    .withRecursive('line(user_id)', (cte) =>
      cte
        .selectFrom('users')
        .select('id as user_id')
        .where('id', '=', p.from)
        .union(
          cte
            .selectFrom('line')
            .crossJoin('affiliates')
            .select(sql<number>`affiliates.parent_id`.as('user_id'))
            .whereRef('affiliates.user_id', '=', 'line.user_id')
            .where('affiliates.parent_id', 'is not', null),
        ),
    )
    .selectFrom('line')
    .select(sql<number>`1`.as('found'))
    .where('line.user_id', '=', p.id),
);

const parentOf = query<{ user_id: number }, { parent_id: number | null }>((db, p) =>
  db.selectFrom('affiliates').select('parent_id').where('user_id', '=', p.user_id),
);

const withParent = byNumber<{ user_id: number }>((db, isKey) =>
  db
    .selectFrom('affiliates')
    .select('user_id')
    .where(isKey('user_id'))
    .where('parent_id', 'is not', null),
);

interface NewParent {
  user_id: number;
  parent_id: number | null;
  registered_at: number;
}

export const saveParent = insertRow<NewParent>((db, row) =>
  db
    .insertInto('affiliates')
    .values({ ...row, status: 'active', profile: '{}' })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ parent_id: row.parent_id })),
);

/** The uplines of these affiliates that earn shares, lowest tier first. */
export async function findEarningUplines(
  db: Reader,
  userIds: ReadonlySet<number>,
  tiers: number,
): Promise<EarningMember[]> {
  // Most affiliates have no parent, which one index lookup shows.
  const below = await db.allByKeys(withParent, [...userIds]);
  if (below.length === 0) return [];
  const user_ids = JSON.stringify(below.map(({ user_id }) => user_id));
  return db.all(earningUplines, { user_ids, tiers });
}

/** Whether `id` is `from` itself or in its upline. */
export async function isSelfOrInUpline(db: Reader, from: number, id: number): Promise<boolean> {
  return (await db.first(inLine, { from, id })) !== undefined;
}

export async function findParent(db: Reader, userId: number): Promise<number | null> {
  return (await db.first(parentOf, { user_id: userId }))?.parent_id ?? null;
}
