import { sql, type RawBuilder, type SqlBool } from 'kysely';
import {
  isInReview,
  isSelfReferral,
  openStatuses,
  UNTIL_DECIDED,
  type ReferralRow,
} from '../../orders/index.ts';

/** What an order means for the affiliate. */
export const orderStates = [
  'awaiting',
  'on_hold',
  'in_review',
  'earned',
  'reversed',
  'nothing',
] as const;
export type OrderState = (typeof orderStates)[number];

/** Why an order earns nothing. */
export const reasons = [
  'self_referral',
  'order_status',
  'refunded',
  'zero_commission',
  'rejected',
] as const;
type Reason = (typeof reasons)[number];

const open = new Set<string>(openStatuses);
const reversedStatuses = new Set<string>(['cancelled', 'refunded', 'failed']);
/** Not `release_at is null`: SQLite would search the index of that column, which nearly all rows of the table meet. */
const release = sql`coalesce(release_at, 0)`;
const isOpen = sql`state = 'void' and status in (${sql.join(openStatuses.map((status) => sql.lit(status)))})`;
const reversed = sql`state = 'void' and status in ('cancelled', 'refunded', 'failed')`;

/**
 * The conditions use columns of the index `referrals_by_coupon` only. Each referral meets exactly one, except for an open order of the
 * affiliate's own, and one whose products are excluded: the terms are not in the index, so `awaiting` finds it, and it is
 * shown as `nothing`.
 */
export const stateConditions: Record<OrderState, RawBuilder<SqlBool>> = {
  awaiting: sql<SqlBool>`(${isOpen} or (state = 'awaiting' and ${release} = 0 and commission > 0))`,
  on_hold: sql<SqlBool>`state = 'awaiting' and ${release} > 0 and ${release} < ${sql.lit(UNTIL_DECIDED)} and commission > 0`,
  in_review: sql<SqlBool>`state = 'awaiting' and ${release} = ${sql.lit(UNTIL_DECIDED)} and commission > 0`,
  earned: sql<SqlBool>`state = 'granted' and commission > 0`,
  reversed: sql<SqlBool>`(${reversed})`,
  nothing: sql<SqlBool>`commission <= 0 and not (${reversed}) and not (${isOpen})`,
};

type Settled = Pick<
  ReferralRow,
  'state' | 'status' | 'release_at' | 'commission' | 'sales' | 'rates'
>;

/** The same rules for a row that was read. */
export function stateOf(row: Settled): OrderState {
  if (row.state === 'void') {
    if (reversedStatuses.has(row.status)) return 'reversed';
    return open.has(row.status) && !isSelfReferral(row) ? 'awaiting' : 'nothing';
  }
  if (row.commission <= 0) return 'nothing';
  if (row.state === 'granted') return 'earned';
  if (isInReview(row)) return 'in_review';
  return row.release_at === null ? 'awaiting' : 'on_hold';
}

/** Null for an order that earns something, or will by its status. */
export function reasonOf(row: Settled): Reason | null {
  if (row.commission > 0) return null;
  if (isSelfReferral(row)) return 'self_referral';
  if (row.state === 'void') return 'order_status';
  return row.sales <= 0 ? 'refunded' : 'zero_commission';
}
