import { sql } from 'kysely';
import type { Reader, Transaction } from '../../../db/database.ts';
import { wordsOf } from '../../../db/lists/words.ts';
import { byNumber } from '../../../db/statements/keyed-query.ts';
import { query } from '../../../db/statements/query.ts';
import { insertRows } from '../../../db/statements/rows-query.ts';
import type { RowOf } from '../../../db/tables.ts';
import type { Job } from '../../../kernel/declare/job.ts';
import { Point } from '../../../kernel/declare/point.ts';
import type { Site } from '../../../kernel/declare/site.ts';
import {
  formerAccountsOf,
  lastOrdersOf,
  sumFormerClicks,
  sumFormerDays,
  type CouponAccount,
} from '../../coupons/index.ts';
import { claimDue, findDue } from './due-rows.ts';

/** Rows per transaction, which other writers wait for: a few milliseconds. */
const BATCH_SIZE = 100;
/** A request brings at most this many batches up to date; the job does the rest. */
const BATCHES_A_READ = 3;

/** What another module builds from users, such as words to search by: called with new and changed users. */
type FollowUsers = (tx: Transaction, userIds: readonly number[]) => Promise<void>;
export const userChanges = new Point<FollowUsers>('roster.user-changes');

type Affiliate = Pick<RowOf<'roster'>, 'user_id' | 'name' | 'status' | 'registered_at'> & {
  login: string;
  email: string;
};

/** Users with the role affiliate or with a coupon, as everywhere. */
const affiliates = byNumber<Affiliate>((db, isKey) =>
  db
    .selectFrom('users')
    .leftJoin('affiliates', 'affiliates.user_id', 'users.id')
    .select(['users.id as user_id', 'users.display_name_folded as name'])
    .select(['users.login_folded as login', 'users.email_folded as email'])
    .select((eb) => [
      eb.fn.coalesce('affiliates.status', sql.lit('active' as const)).as('status'),
      eb.fn.coalesce('affiliates.registered_at', 'users.created_at').as('registered_at'),
    ])
    .where(isKey('users.id'))
    .where((eb) =>
      eb.or([
        eb('users.role', '=', sql.lit('affiliate' as const)),
        eb.exists(
          eb
            .selectFrom('coupons')
            .select('coupons.id')
            .whereRef('coupons.user_id', '=', 'users.id'),
        ),
      ]),
    ),
);

interface CouponFigures extends Pick<
  RowOf<'roster'>,
  'sales' | 'commission' | 'unpaid' | 'orders_count' | 'clicks'
> {
  readonly user_id: number;
  readonly code: string;
}

const coupons = byNumber<CouponFigures>((db, isKey) =>
  db
    .selectFrom('coupons')
    // `is not null` is implied; the type of the column does not say so.
    .select([sql<number>`user_id`.as('user_id'), 'code_folded as code'])
    .select([
      'total_sales as sales',
      sql<number>`total_commission + upline_commission`.as('commission'),
      'unpaid',
      'orders_count',
      sql<number>`cast((select coalesce(sum(clicks), 0) from click_days
        where coupon_id = coupons.id) as bigint)`.as('clicks'),
    ])
    .where(isKey('user_id')),
);

const storedWords = byNumber<Pick<RowOf<'roster'>, 'user_id' | 'words'>>((db, isKey) =>
  db.selectFrom('roster').select(['user_id', 'words']).where(isKey('user_id')),
);

const save = insertRows<RowOf<'roster'>>('roster', {
  on: ['user_id'],
  keep: [],
});

const insertWords = insertRows<RowOf<'roster_words'>>('roster_words');

const removeWords = query<{ user_id: number }>((db, p) =>
  db.deleteFrom('roster_words').where('user_id', '=', p.user_id),
);

const removeFigures = query<{ user_id: number }>((db, p) =>
  db.deleteFrom('roster').where('user_id', '=', p.user_id),
);

export async function removeEntry(tx: Transaction, user_id: number): Promise<void> {
  await tx.run(removeWords, { user_id });
  await tx.run(removeFigures, { user_id });
}

/**
 * Rebuilds the entries that have become outdated. What changes a figure only marks its row as due, in the
 * statement that it needs anyway; the sums and their indexes are written here, once for many changes.
 */
async function refreshBatch(tx: Transaction, { registry }: Site): Promise<boolean> {
  // One at a time: a slower transaction must not write what it has read before another one.
  await tx.lock('roster');
  const { userIds, changedUserIds, isMore } = await claimDue(tx, BATCH_SIZE);
  if (userIds.length === 0) return false;
  const [found, ofCoupons, former, formerDays, formerClicks, lastOrders, stored] =
    await Promise.all([
      tx.allByKeys(affiliates, userIds),
      tx.allByKeys(coupons, userIds),
      formerAccountsOf(tx, userIds),
      sumFormerDays(tx, userIds),
      sumFormerClicks(tx, userIds),
      lastOrdersOf(tx, userIds),
      tx.allByKeys(storedWords, userIds),
    ]);
  const couponsOf = Map.groupBy(ofCoupons, ({ user_id }) => user_id);
  const formerOf = Map.groupBy(former, ({ user_id }) => user_id);
  const daysOf = Map.groupBy(formerDays, ({ user_id }) => user_id);
  const clicksOf = new Map(formerClicks.map(({ user_id, clicks }) => [user_id, clicks]));
  const lastOf = Map.groupBy(lastOrders, ({ user_id }) => user_id);
  const wordsBefore = new Map(stored.map(({ user_id, words }) => [user_id, words]));
  const entries = found
    .map((affiliate) => {
      const { user_id } = affiliate;
      const own = couponsOf.get(user_id) ?? [];
      const entry = toEntry(affiliate, own, formerOf.get(user_id) ?? [], daysOf.get(user_id) ?? []);
      return {
        ...entry,
        clicks: entry.clicks + (clicksOf.get(user_id) ?? 0),
        last_order_at: Math.max(0, ...(lastOf.get(user_id) ?? []).map((order) => order.placed_at)),
      };
    })
    .sort((a, b) => a.user_id - b.user_id);
  await tx.runMany(save, entries);
  for (const { user_id, words } of entries) {
    if (words !== wordsBefore.get(user_id)) await replaceWords(tx, user_id, words);
    wordsBefore.delete(user_id);
  }
  // The rest are no longer affiliates.
  for (const user_id of wordsBefore.keys()) await removeEntry(tx, user_id);
  if (changedUserIds.length > 0) {
    for (const follow of registry.contributions(userChanges)) await follow(tx, changedUserIds);
  }
  return isMore;
}

function toEntry(
  affiliate: Affiliate,
  own: readonly CouponFigures[],
  former: readonly CouponAccount[],
  formerDays: Awaited<ReturnType<typeof sumFormerDays>>,
): Omit<RowOf<'roster'>, 'last_order_at'> {
  const { user_id, name, status, registered_at, login, email } = affiliate;
  const unpaid = [...own, ...former].map((account) => account.unpaid);
  const sum = (of: (coupon: CouponFigures) => number) => own.reduce((n, c) => n + of(c), 0);
  const days = (of: (sums: (typeof formerDays)[number]) => number) =>
    formerDays.reduce((n, sums) => n + of(sums), 0);
  return {
    user_id,
    name,
    status,
    registered_at,
    sales: sum((coupon) => coupon.sales) + days((sums) => sums.total_sales),
    commission:
      sum((coupon) => coupon.commission) +
      days((sums) => sums.total_commission + sums.upline_commission),
    unpaid: unpaid.reduce((total, one) => total + one, 0),
    highest_unpaid: Math.max(0, ...unpaid),
    orders_count: sum((coupon) => coupon.orders_count) + days((sums) => sums.orders_count),
    clicks: sum((coupon) => coupon.clicks),
    words: wordsOf([name, login, email, ...own.map(({ code }) => code)]).join(' '),
  };
}

async function replaceWords(tx: Transaction, user_id: number, words: string): Promise<void> {
  await tx.run(removeWords, { user_id });
  const rows = words.split(' ').filter(Boolean);
  await tx.runMany(
    insertWords,
    rows.map((word) => ({ word, user_id })),
  );
}

async function refreshUpTo(site: Site, batches: number): Promise<void> {
  for (let i = 0; i < batches; i++) {
    if (!(await site.database.transaction((tx) => refreshBatch(tx, site)))) return;
  }
}

/** Before the roster is read: usually a few entries are outdated, or none. */
export async function refreshForRead(db: Reader, site: Site): Promise<void> {
  if (await findDue(db)) await refreshUpTo(site, BATCHES_A_READ);
}

/** A read then finds few outdated entries, however many orders have come. */
export const refreshRoster: Job = {
  name: 'roster.refresh',
  everyMs: 10_000,
  runsOn: 'one',
  async run(site) {
    if (await findDue(site.database.read)) await refreshUpTo(site, Infinity);
  },
};
