import { sql, type RawBuilder } from 'kysely';
import type { Reader } from '../../../db/database.ts';
import { readAll, readByNumbers } from '../../../db/statements/calls.ts';
import { collectRows } from '../../../db/statements/collect-rows.ts';
import { listIn } from '../../../db/statements/plain-calls.ts';
import { jsonList } from '../../../db/statements/rows-query.ts';
import type { RowOf } from '../../../db/tables.ts';
import type { DayRange, RewardCounter } from '../../rewards/index.ts';
import { counterColumns } from '../tables.ts';

/** The groups of affiliates. */
export const findGroupsOf = readByNumbers<{ user_id: number; group_id: number }>((db, isKey) =>
  db
    .selectFrom('affiliate_groups')
    .select(['user_id', 'group_id'])
    .where(isKey('user_id'))
    .orderBy('group_id'),
);

/** What an affiliate has collected in a range of days, on all of its accounts. */
type CollectedRow = DayRange & { user_id: number } & Record<CollectedColumn, number>;

export const collectedColumns = ['total_commission', ...counterColumns] as const;
export type CollectedColumn = (typeof collectedColumns)[number];

/** Ranges of days, each of one affiliate. */
export interface AskedDays extends DayRange {
  readonly user_id: number;
}

/**
 * The days of the coupons that an affiliate has, without those of affiliates who had them before, and what it has of
 * former coupons. The cross joins keep the order: from the affiliate to its few coupons.
 */
const collectedIn = readAll<{ asked: string }, CollectedRow>((db, p, _given, dialect) => {
  const columns = (value: (name: string) => RawBuilder<unknown>) =>
    sql.join(collectedColumns.map((name) => sql`${value(name)} as ${sql.ref(name)}`));
  const given = dialect.jsonRows(p.asked, { user_id: 'number', first: 'text', last: 'text' });
  const asked = sql`given.user_id, given.first, given.last`;
  const isAsked = sql`day >= given.first and day <= given.last`;
  const statement = sql<CollectedRow>`
    select user_id, first, last, ${columns((name) => sql`sum(${sql.ref(name)})`)}
    from (
      select ${asked}, ${columns((name) => sql.ref(`coupon_days.${name}`))}
      from ${given}
      join coupons on coupons.user_id = given.user_id
      join coupon_days on coupon_days.coupon_id = coupons.id and ${isAsked}
      union all
      select ${asked}, ${columns((name) => sql`-${sql.ref(`former_days.${name}`)}`)}
      from ${given} cross join coupons cross join former_days
      where coupons.user_id = given.user_id and coupons.owned_since is not null
        and former_days.coupon_id = coupons.id and ${isAsked}
      union all
      select ${asked}, ${columns((name) => sql.ref(`former_days.${name}`))}
      from ${given} join former_days on former_days.user_id = given.user_id and ${isAsked}
    ) as collected
    group by user_id, first, last`;
  return { compile: () => statement.compile(db) };
});

/** Those in which nothing was collected are left out. */
export async function sumCollected(
  db: Reader,
  asked: readonly AskedDays[],
): Promise<CollectedRow[]> {
  return asked.length === 0 ? [] : collectedIn(db, { asked: jsonList(asked) });
}

/** Of the sums by day, the one that a counter adds up. */
export function collectedColumn({ by, counts }: Pick<RewardCounter, 'by' | 'counts'>) {
  return columnsOf[counts][by];
}

const columnsOf = {
  counted: {
    orders: 'earning_orders',
    sales: 'earning_sales',
    commission: 'total_commission',
    new_customers: 'new_customers',
  },
  granted: {
    orders: 'granted_orders',
    sales: 'granted_sales',
    commission: 'granted_commission',
    new_customers: 'granted_customers',
  },
} as const satisfies Record<RewardCounter['counts'], Record<RewardCounter['by'], CollectedColumn>>;

/** A limit to read: the days of its window, and whom it is for. */
export interface AskedLimit extends DayRange {
  readonly rule_id: number;
  readonly subject: string;
}

const spentOn = readAll<{ asked: string }, AskedLimit & { amount: number }>(
  (db, p, _given, dialect) => {
    const given = dialect.jsonRows(p.asked, {
      rule_id: 'number',
      subject: 'text',
      first: 'text',
      last: 'text',
    });
    const statement = sql<AskedLimit & { amount: number }>`
      select given.rule_id, given.subject, given.first, given.last, sum(amount) as amount
      from ${given}
      join limited_rewards on limited_rewards.rule_id = given.rule_id
        and limited_rewards.subject = given.subject
        and limited_rewards.day >= given.first and limited_rewards.day <= given.last
      group by given.rule_id, given.subject, given.first, given.last`;
    return { compile: () => statement.compile(db) };
  },
);

/** What rules with a limit have earned for a customer or an affiliate in a window; those without any are left out. */
export async function sumLimited(db: Reader, asked: readonly AskedLimit[]) {
  return asked.length === 0 ? [] : spentOn(db, { asked: jsonList(asked) });
}

export type LimitedReward = RowOf<'limited_rewards'>;

export const findLimitedOf = listIn('limited_rewards', 'order_id');

/** Saves what a rule with a limit earns for a referral. */
export const saveLimited = collectRows<LimitedReward>('limited_rewards', {
  after: 'referrals',
  on: ['order_id', 'coupon_id', 'rule_id'],
  set: ['subject', 'day', 'amount'],
});
