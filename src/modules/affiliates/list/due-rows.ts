import { sql } from 'kysely';
import type { Reader, Transaction } from '../../../db/database.ts';
import { query } from '../../../db/statements/query.ts';
import { jsonList } from '../../../db/statements/rows-query.ts';

/** A literal, because the planner uses a partial index only then. */
const isDue = sql<boolean>`roster_due = 1`;

const any = query<object, { due: number }>((db) => {
  const statement = sql<{
    due: number;
  }>`select 1 as due where exists (select 1 from users where ${isDue})
    or exists (select 1 from coupons where ${isDue}) or exists (select 1 from click_days where ${isDue})`;
  return { compile: () => statement.compile(db) };
});

type Limit = { limit: number };
interface DueCoupon {
  id: number;
  user_id: number | null;
  roster_user_id: number | null;
}
interface DueDay {
  coupon_id: number;
  day: string;
  campaign: string;
}

const dueUsers = query<Limit, { id: number }>((db, p, _given, dialect) =>
  dialect.lockForUpdate(
    db.selectFrom('users').select('id').where(isDue).orderBy('id').limit(p.limit),
  ),
);

const dueCoupons = query<Limit, DueCoupon>((db, p, _given, dialect) =>
  dialect.lockForUpdate(
    db
      .selectFrom('coupons')
      .select(['id', 'user_id', 'roster_user_id'])
      .where(isDue)
      .orderBy('id')
      .limit(p.limit),
  ),
);

/** The expression keeps SQLite off the index of all due coupons. */
const dueCouponsOf = query<{ ids: string }, DueCoupon>((db, p, _given, dialect) =>
  dialect.lockForUpdate(
    db
      .selectFrom('coupons')
      .select(['id', 'user_id', 'roster_user_id'])
      .where(dialect.inJsonArray('user_id', p.ids, 'number'))
      .where(sql<boolean>`roster_due + 0 = 1`)
      .orderBy('id'),
  ),
);

const dueDays = query<Limit, DueDay>((db, p, _given, dialect) =>
  dialect.lockForUpdate(
    db
      .selectFrom('click_days')
      .select(['coupon_id', 'day', 'campaign'])
      .where(isDue)
      .orderBy('coupon_id')
      .orderBy('day')
      .orderBy('campaign')
      .limit(p.limit),
  ),
);

const clearUsers = query<{ ids: string }>((db, p, _given, dialect) =>
  db
    .updateTable('users')
    .set({ roster_due: 0 })
    .where(dialect.inJsonArray('id', p.ids, 'number')),
);

const clearCoupons = query<{ ids: string }>((db, p, _given, dialect) =>
  db
    .updateTable('coupons')
    .set((eb) => ({ roster_due: 0, roster_user_id: eb.ref('user_id') }))
    .where(dialect.inJsonArray('id', p.ids, 'number')),
);

const clearDay = query<DueDay>((db, p) =>
  db
    .updateTable('click_days')
    .set({ roster_due: 0 })
    .where('coupon_id', '=', p.coupon_id)
    .where('day', '=', p.day)
    .where('campaign', '=', p.campaign),
);

/** A change of a former account has marked its coupon. */
const formerOwners = query<{ ids: string }, { user_id: number }>((db, p, _given, dialect) =>
  db
    .selectFrom('former_accounts')
    .select('user_id')
    .where(dialect.inJsonArray('coupon_id', p.ids, 'number'))
    .where('user_id', '<>', sql.lit(0)),
);

const owners = query<{ ids: string }, { user_id: number | null }>((db, p, _given, dialect) =>
  db
    .selectFrom('coupons')
    .select('user_id')
    .where(dialect.inJsonArray('id', p.ids, 'number')),
);

export async function findDue(db: Reader): Promise<boolean> {
  return (await db.first(any, {})) !== undefined;
}

interface Claim {
  readonly userIds: number[];
  /** Those of them whose user has changed, such as its name, and not only a figure. */
  readonly changedUserIds: number[];
  /** Whether there may be more. */
  readonly isMore: boolean;
}

/**
 * Takes some marks off, and returns whose entries they outdate. The marked rows stay locked: a change that is not
 * committed yet will mark its row again after this transaction, and one that is committed is read by it.
 */
export async function claimDue(tx: Transaction, limit: number): Promise<Claim> {
  const users = await tx.all(dueUsers, { limit });
  const coupons = await tx.all(dueCoupons, { limit });
  const days = await tx.all(dueDays, { limit });
  const clicked = [...new Set(days.map(({ coupon_id }) => coupon_id))];
  const ofClicks = clicked.length > 0 ? await tx.all(owners, { ids: jsonList(clicked) }) : [];
  const changed = [...coupons.map(({ id }) => id), ...clicked];
  const former = changed.length > 0 ? await tx.all(formerOwners, { ids: jsonList(changed) }) : [];
  const affiliates = ownersOf([...coupons, ...ofClicks, ...former]);
  const entries = [...users.map(({ id }) => id), ...affiliates];
  // An entry is built from all coupons of its user, so it is not due again for the others of them.
  const others = entries.length > 0 ? await tx.all(dueCouponsOf, { ids: jsonList(entries) }) : [];
  const allCoupons = [...coupons, ...others];
  if (users.length > 0) await tx.run(clearUsers, { ids: idsOf(users) });
  if (allCoupons.length > 0) await tx.run(clearCoupons, { ids: idsOf(allCoupons) });
  for (const day of days) await tx.run(clearDay, day);
  const before = allCoupons.map(({ roster_user_id }) => roster_user_id);
  return {
    userIds: [...new Set([...entries, ...before.filter((id) => id !== null)])],
    changedUserIds: users.map(({ id }) => id),
    isMore: [users, coupons, days].some((rows) => rows.length === limit),
  };
}

const idsOf = (rows: readonly { id: number }[]) => jsonList(rows.map(({ id }) => id));

function ownersOf(rows: readonly { user_id: number | null }[]): number[] {
  return rows.flatMap(({ user_id }) => user_id ?? []);
}
