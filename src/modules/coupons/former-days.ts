import { sql, type Expression, type RawBuilder, type SqlBool } from 'kysely';
import type { Reader, Transaction } from '../../db/database.ts';
import { readAll, readOne, write } from '../../db/statements/calls.ts';
import { dayColumns, figureColumns, columnGroups } from '../../db/statements/columns.ts';
import { jsonList } from '../../db/statements/rows-query.ts';

/**
 * Figures by account. Those of a coupon are the sums over all affiliates who have had it; what of them is of former ones
 * is in `former_days`, and the rest is of its affiliate of today, so that an order needs no further statement.
 */

type DayColumn = (typeof dayColumns)[number];

const sumColumns = [...figureColumns, ...columnGroups.statuses] as const;
type Sums = Record<(typeof sumColumns)[number], number>;

/**
 * What affiliates have in `former_days`, and, with the opposite sign, what others have there on their coupons. Added to
 * the days of their coupons it gives those of their accounts. The condition is in both parts, for their indexes.
 */
export function formerDays(columns: readonly DayColumn[], isWanted: IsWanted): RawBuilder<unknown> {
  const signed = (sign: string) =>
    sql.join(
      columns.map((name) => sql`${sql.raw(sign)}former_days.${sql.ref(name)} as ${sql.ref(name)}`),
    );
  const own = sql<number>`former_days.user_id`;
  const coupon = sql<number>`former_days.coupon_id`;
  return sql`(select ${own}, coupon_id, day, ${signed('')} from former_days where ${isWanted(own, coupon)}
    union all
    select ${OWNER}, coupon_id, ${UNINDEXED_DAY} as day, ${signed('-')}
    from coupons join former_days on former_days.coupon_id = coupons.id where ${isWanted(OWNER, coupon)})`;
}

/**
 * The days of accounts, by affiliate and coupon: their sums count. A `cross join` makes SQLite follow the coupons.
 * `isRead` says which days of coupons are read, beside those of former affiliates.
 */
export function daysOfAccounts(
  columns: readonly DayColumn[],
  isRead: RawBuilder<SqlBool>,
  isWanted: IsWanted,
): RawBuilder<unknown> {
  return sql`(select ${OWNER}, coupon_id, day, ${sql.join(columns.map((name) => sql.ref(`coupon_days.${name}`)))}
    from coupons cross join coupon_days
    where coupon_days.coupon_id = coupons.id and ${isRead} and ${isWanted(OWNER, sql<number>`coupons.id`)}
    union all select * from ${formerDays(columns, isWanted)} as former)`;
}

/** The condition that selects accounts, on the columns of one. */
type IsWanted = (userId: RawBuilder<number>, couponId: RawBuilder<number>) => Expression<SqlBool>;

const OWNER = sql<number>`coupons.user_id`;

/** The days of coupons are found by the coupon, not by the day, which those of all coupons have. */
const UNINDEXED_DAY = sql`former_days.day || ''`;

const summed = (columns: readonly DayColumn[]) =>
  sql.join(columns.map((name) => sql`sum(${sql.ref(name)}) as ${sql.ref(name)}`));

interface Days {
  readonly first: string;
  readonly last: string;
}

/** By affiliate and coupon, what its account has besides the figures of the coupons that it has, or less than they. */
const byAccount = readAll<Days & { users: string }, Sums & { user_id: number; coupon_id: number }>(
  (db, p, _given, dialect) => {
    const days = formerDays(sumColumns, (user) => dialect.inJsonArray(user, p.users, 'number'));
    const statement = sql<Sums & { user_id: number; coupon_id: number }>`
      select user_id, coupon_id, ${summed(sumColumns)} from ${days} as days
      where day >= ${p.first} and day <= ${p.last}
      group by user_id, coupon_id order by coupon_id`;
    return { compile: () => statement.compile(db) };
  },
);

const ALL_DAYS: Days = { first: '', last: '9' };

export const sumFormerDays = (db: Reader, users: readonly number[], days = ALL_DAYS) =>
  byAccount(db, { ...days, users: jsonList([...users]) });

/** What of the figures of a coupon is of former affiliates. */
const ofCoupon = readOne<Days & { coupon_id: number }, Sums>((db, p) => {
  const statement = sql<Sums>`select ${sql.join(
    sumColumns.map((name) => sql`coalesce(sum(${sql.ref(name)}), 0) as ${sql.ref(name)}`),
  )} from former_days where coupon_id = ${p.coupon_id} and day >= ${p.first} and day <= ${p.last}`;
  return { compile: () => statement.compile(db) };
});

interface OwnedCoupon {
  readonly id: number;
  /** Null for a coupon that has never changed hands. */
  readonly owned_since: number | null;
}

/** The figures of a coupon, or of its days, without what is of former affiliates. */
export async function ownFigures<F extends Partial<Sums>>(
  db: Reader,
  { id, owned_since }: OwnedCoupon,
  figures: F,
  days = ALL_DAYS,
): Promise<F> {
  if (owned_since === null) return figures;
  const former = await ofCoupon(db, { coupon_id: id, ...days });
  return addFigures(figures, former, -1);
}

/** Adds the figures that both have. */
export function addFigures<F extends Partial<Sums>>(figures: F, more: Partial<Sums>, sign = 1): F {
  const sum: F & Partial<Sums> = { ...figures };
  for (const name of sumColumns) {
    if (name in figures) Object.assign(sum, { [name]: figures[name]! + sign * (more[name] ?? 0) });
  }
  return sum;
}

const keep = write<Assignment>((db, p) => {
  const rest = (name: DayColumn) =>
    sql`coupon_days.${sql.ref(name)} - coalesce(sum(former_days.${sql.ref(name)}), 0)`;
  const names = sql.join(dayColumns.map((name) => sql.ref(name)));
  return {
    compile: () =>
      sql`insert into former_days (coupon_id, user_id, day, ${names})
        select coupon_days.coupon_id, ${p.owner_id}, coupon_days.day, ${sql.join(dayColumns.map(rest))}
        from coupon_days
        left join former_days on former_days.coupon_id = coupon_days.coupon_id
          and former_days.day = coupon_days.day
        where coupon_days.coupon_id = ${p.id}
        group by coupon_days.coupon_id, coupon_days.day
        having ${sql.join(
          dayColumns.map((name) => sql`${rest(name)} <> 0`),
          sql` or `,
        )}`.compile(db),
  };
});

const forget = write<Assignment>((db, p) =>
  db.deleteFrom('former_days').where('coupon_id', '=', p.id).where('user_id', '=', p.owner_id),
);

interface Assignment {
  id: number;
  owner_id: number;
}

/** Keeps the days of the affiliate that a coupon had, and makes those of the next one the rest. */
export async function changeDays(
  tx: Transaction,
  former: Assignment,
  next: Assignment,
): Promise<void> {
  await keep(tx, former);
  await forget(tx, next);
}
