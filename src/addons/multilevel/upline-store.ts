import { sql, type Kysely } from 'kysely';
import type { Reader, Transaction } from '../../db/database.ts';
import { query } from '../../db/query.ts';
import type { Tables } from '../../db/tables.ts';
import type { UserRow } from '../../modules/users/index.ts';

/** Those above an affiliate, nearest first, as far up as asked for: `up(user_id, tier)`. */
function ancestry(db: Kysely<Tables>, p: { user_id: number; tiers: number }) {
  return db.withRecursive('up(user_id, tier)', (cte) =>
    cte
      .selectFrom('affiliates')
      .select(['parent_id as user_id', sql<number>`1`.as('tier')])
      .where('user_id', '=', p.user_id)
      .where('parent_id', 'is not', null)
      .unionAll(
        cte
          .selectFrom('up')
          .innerJoin('affiliates', 'affiliates.user_id', 'up.user_id')
          .select(['affiliates.parent_id as user_id', sql<number>`up.tier + 1`.as('tier')])
          .where('affiliates.parent_id', 'is not', null)
          .where('up.tier', '<', p.tiers),
      ),
  );
}

export type Upline = Omit<UserRow, 'password_hash'> & { tier: number };

const uplinesOf = query<{ user_id: number; tiers: number }, Upline>((db, p) =>
  ancestry(db, p)
    .selectFrom('up')
    .innerJoin('users', 'users.id', 'up.user_id')
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
    .orderBy('up.tier'),
);

/** The oldest coupon in force of each who is not suspended: that is the account it earns on. */
const earningUplines = query<
  { user_id: number; tiers: number },
  { tier: number; user_id: number; coupon_id: number }
>((db, p) =>
  ancestry(db, p)
    .selectFrom('up')
    .leftJoin('affiliates', 'affiliates.user_id', 'up.user_id')
    .innerJoin('coupons', 'coupons.user_id', 'up.user_id')
    .select(['up.tier', sql<number>`up.user_id`.as('user_id')])
    .select((eb) => eb.fn.min('coupons.id').as('coupon_id'))
    .where((eb) => eb(eb.fn.coalesce('affiliates.status', sql.lit('active')), '=', 'active'))
    .where('coupons.status', '=', 'active')
    .groupBy(['up.tier', 'up.user_id'])
    .orderBy('up.tier'),
);

const above = query<{ user_id: number; tiers: number; person_id: number }, { tier: number }>(
  (db, p) =>
    ancestry(db, p)
      .selectFrom('up')
      .select('up.tier')
      .where('up.user_id', '=', p.person_id)
      .limit(sql.lit(1)),
);

/** An affiliate and all above it, however many: a set, so that it ends even in a loop. */
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
            .innerJoin('affiliates', 'affiliates.user_id', 'line.user_id')
            .select(sql<number>`affiliates.parent_id`.as('user_id'))
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

const saveParent = query<{ user_id: number; parent_id: number | null; registered_at: number }>(
  (db, p) =>
    db
      .insertInto('affiliates')
      .values({
        user_id: p.user_id,
        status: 'active',
        profile: '{}',
        parent_id: p.parent_id as number,
        registered_at: p.registered_at,
      })
      .onConflict((conflict) =>
        conflict.column('user_id').doUpdateSet({ parent_id: p.parent_id as number }),
      ),
);

export function findUplines(db: Reader, userId: number, tiers: number): Promise<Upline[]> {
  return db.all(uplinesOf, { user_id: userId, tiers });
}

export function findEarningUplines(db: Reader, userId: number, tiers: number) {
  return db.all(earningUplines, { user_id: userId, tiers });
}

export async function isUpline(db: Reader, userId: number, personId: number, tiers: number) {
  return (await db.first(above, { user_id: userId, tiers, person_id: personId })) !== undefined;
}

/** Whether `id` is `from` itself or anywhere above it. */
export async function isInLine(db: Reader, from: number, id: number): Promise<boolean> {
  return (await db.first(inLine, { from, id })) !== undefined;
}

export async function findParent(db: Reader, userId: number): Promise<number | null> {
  return (await db.first(parentOf, { user_id: userId }))?.parent_id ?? null;
}

export async function writeParent(
  tx: Transaction,
  affiliate: { id: number; registered_at: number },
  parentId: number | null,
): Promise<void> {
  const { id, registered_at } = affiliate;
  await tx.run(saveParent, { user_id: id, parent_id: parentId, registered_at });
}
