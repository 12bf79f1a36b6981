import { sql } from 'kysely';
import { readAll } from '../../../db/statements/calls.ts';
import { long } from '../../../db/statements/query.ts';
import { ROWS_AT_ONCE, type Difference, type WholeAudit } from '../../ledger/index.ts';

interface Place {
  order_id: number;
  coupon_id: number;
  rule_id: number;
}

interface Held extends Place {
  subject: string;
  amount: number;
  /** Of its referral; null without one. */
  user_id: number | null;
  commission: number | null;
}

const heldAfter = readAll<Place, Held>(
  (db, p) =>
    db
      .selectFrom('limited_rewards')
      .leftJoin('referrals', (join) =>
        join
          .onRef('referrals.order_id', '=', 'limited_rewards.order_id')
          .onRef('referrals.coupon_id', '=', 'limited_rewards.coupon_id')
          .on('referrals.dropped', '=', sql.lit(0)),
      )
      .select(['limited_rewards.order_id', 'limited_rewards.coupon_id', 'limited_rewards.rule_id'])
      .select(['limited_rewards.subject', 'limited_rewards.amount'])
      .select(['referrals.user_id', 'referrals.commission'])
      .where(
        sql<boolean>`(limited_rewards.order_id, limited_rewards.coupon_id, limited_rewards.rule_id)
        > (${p.order_id}, ${p.coupon_id}, ${p.rule_id})`,
      )
      .orderBy('limited_rewards.order_id')
      .orderBy('limited_rewards.coupon_id')
      .orderBy('limited_rewards.rule_id')
      .limit(sql.lit(ROWS_AT_ONCE)),
  long,
);

/** What limits of a sum hold of an order is at most what it earns now, and for the affiliate who earns it. */
export const auditLimits: WholeAudit = async (db) => {
  const differences: Difference[] = [];
  for (let after: Place = { order_id: 0, coupon_id: 0, rule_id: 0 }; ;) {
    const rows = await heldAfter(db, after);
    for (const row of rows) {
      const recomputed = rightOf(row);
      if (recomputed === row.amount) continue;
      const { coupon_id, user_id: affiliate_id, amount: stored } = row;
      const account = { coupon_id, affiliate_id, payout_id: null, pool: 'unpaid' as const };
      differences.push({ ...account, stored, recomputed, from: 'limits' });
    }
    if (rows.length < ROWS_AT_ONCE) return differences;
    after = rows.at(-1)!;
  }
};

function rightOf({ subject, amount, user_id, commission }: Held): number {
  if (subject.startsWith('user ') && subject !== `user ${user_id}`) return 0;
  return Math.min(amount, commission ?? 0);
}
