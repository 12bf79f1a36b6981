import { sql, type RawBuilder } from 'kysely';
import type { Reader, Transaction } from '../../db/database.ts';
import { readAll, write } from '../../db/statements/calls.ts';
import { insertRows, jsonList } from '../../db/statements/rows-query.ts';
import type { RowOf } from '../../db/tables.ts';
import { ownersAt, toOwnerId } from './owner-rows.ts';

/**
 * Clicks by account. Like figures, those of a coupon are the sums over all affiliates who have had it; what of them is
 * of former ones is in `former_clicks`. A click is of the affiliate who had the coupon at its time.
 */

type ClickKind = RowOf<'former_clicks'>['kind'];
type AnyKind = ClickKind | RawBuilder<ClickKind>;

const isOf = (kind: AnyKind) => sql`kind = ${typeof kind === 'string' ? sql.lit(kind) : kind}`;

interface Days {
  readonly first: string;
  readonly last: string;
}

/**
 * The clicks of an affiliate's accounts by coupon, day and name; their sums count. Coupon by coupon, which a `cross join`
 * makes SQLite do: along the index of days it would read those of all.
 */
export function clicksOfAccounts(
  kind: AnyKind,
  p: Days & { readonly user_id: number },
): RawBuilder<unknown> {
  const days = sql`day >= ${p.first} and day <= ${p.last}`;
  const counted =
    kind === 'campaign'
      ? sql`select coupon_id, day, campaign as name, clicks, conversions from coupons cross join click_days
          where coupons.user_id = ${p.user_id} and coupon_id = coupons.id and ${days}`
      : sql`select coupon_id, day, name, clicks, conversions from coupons cross join source_days
          where coupons.user_id = ${p.user_id} and coupon_id = coupons.id and ${isOf(kind)} and ${days}`;
  return sql`(${counted}
    union all
    select coupon_id, day, name, clicks, conversions from former_clicks
    where user_id = ${p.user_id} and ${isOf(kind)} and ${days}
    union all
    select coupon_id, day, name, -clicks, -conversions from coupons cross join former_clicks
    where coupons.user_id = ${p.user_id} and coupon_id = coupons.id and ${isOf(kind)} and ${days})`;
}

/** What affiliates have in `former_clicks`, and, with the opposite sign, what others have there on their coupons. */
export const formerClicks = (
  kind: ClickKind,
  where: (userId: RawBuilder<number>, couponId: RawBuilder<number>) => RawBuilder<unknown>,
): RawBuilder<unknown> => {
  const own = sql<number>`former_clicks.user_id`;
  const owner = sql<number>`coupons.user_id`;
  const coupon = sql<number>`former_clicks.coupon_id`;
  return sql`(select ${own}, day, name, clicks, conversions from former_clicks where ${isOf(kind)} and ${where(own, coupon)}
    union all
    select ${owner}, day, name, -clicks, -conversions
    from coupons join former_clicks on former_clicks.coupon_id = coupons.id
    where ${isOf(kind)} and ${where(owner, coupon)})`;
};

interface UserClicks {
  user_id: number;
  clicks: number;
  conversions: number;
}

/** By affiliate, the clicks that its accounts have besides those of the coupons that it has, or less than they. */
export const sumFormerClicks = (db: Reader, users: readonly number[]) =>
  byUser(db, { users: jsonList([...users]) });

const byUser = readAll<{ users: string }, UserClicks>((db, p, _given, dialect) => {
  const clicks = formerClicks('campaign', (user) => dialect.inJsonArray(user, p.users, 'number'));
  const statement = sql<UserClicks>`select user_id, cast(sum(clicks) as bigint) as clicks,
      cast(sum(conversions) as bigint) as conversions
    from ${clicks} as former group by user_id`;
  return { compile: () => statement.compile(db) };
});

const add = insertRows<RowOf<'former_clicks'>>('former_clicks', {
  on: ['coupon_id', 'kind', 'day', 'name', 'user_id'],
  add: ['clicks', 'conversions'],
});

/** What a click is counted under, and what says whose it is. */
export interface TimedClicks extends Omit<RowOf<'former_clicks'>, 'user_id'> {
  readonly clicked_at: number;
  /** Of the coupon: null if it has never changed hands. */
  readonly owned_since: number | null;
}

/** Counts those that are of former affiliates: clicks of history, and conversions after a hand-over. */
export async function addFormerClicks(
  tx: Transaction,
  clicks: readonly TimedClicks[],
): Promise<void> {
  const late = clicks.filter(
    ({ clicked_at, owned_since }) => owned_since !== null && clicked_at < owned_since,
  );
  if (late.length === 0) return;
  const ids = [...new Set(late.map(({ coupon_id }) => coupon_id))];
  const owners = Map.groupBy(await ownersAt(tx, ids), ({ coupon_id }) => coupon_id);
  const rows = new Map<string, RowOf<'former_clicks'>>();
  for (const { clicked_at, owned_since: _, ...click } of late) {
    const known = owners.get(click.coupon_id) ?? [];
    const owner = known.findLast(({ since }) => since <= clicked_at)?.user_id ?? null;
    // What is of the affiliate of today is the rest.
    if (owner === known.at(-1)?.user_id) continue;
    const user_id = toOwnerId(owner);
    const key = JSON.stringify([click.coupon_id, click.kind, click.day, click.name, user_id]);
    const row = rows.get(key) ?? { ...click, user_id, clicks: 0, conversions: 0 };
    row.clicks += click.clicks;
    row.conversions += click.conversions;
    rows.set(key, row);
  }
  // All transactions lock the rows in this order, so they cannot deadlock.
  const sorted = [...rows].toSorted(([a], [b]) => (a < b ? -1 : 1));
  await tx.runMany(
    add,
    sorted.map(([, row]) => row),
  );
}

interface Assignment {
  id: number;
  owner_id: number;
}

const keep = write<Assignment>((db, p) => ({
  compile: () =>
    sql`insert into former_clicks (coupon_id, user_id, kind, day, name, clicks, conversions)
      select ${p.id}, ${p.owner_id}, kind, day, name, sum(clicks), sum(conversions)
      from (
        select 'campaign' as kind, day, campaign as name, clicks, conversions from click_days where coupon_id = ${p.id}
        union all
        select kind, day, name, clicks, conversions from source_days where coupon_id = ${p.id}
        union all
        select kind, day, name, -clicks, -conversions from former_clicks where coupon_id = ${p.id}
      ) as counted
      group by kind, day, name
      having sum(clicks) <> 0 or sum(conversions) <> 0`.compile(db),
}));

const forget = write<Assignment>((db, p) =>
  db.deleteFrom('former_clicks').where('coupon_id', '=', p.id).where('user_id', '=', p.owner_id),
);

/** Keeps the clicks of the affiliate that a coupon had, and makes those of the next one the rest. */
export async function changeClicks(
  tx: Transaction,
  former: Assignment,
  next: Assignment,
): Promise<void> {
  await keep(tx, former);
  await forget(tx, next);
}
