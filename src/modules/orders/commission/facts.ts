import type { AskedOrder } from '../../rewards/index.ts';
import type { PreparedOrder } from '../order-input.ts';
import type { ReferralRow } from '../order-rows.ts';
import type { Via } from '../tables.ts';
import type { Line } from './order-figures.ts';

/** What rules ask of an order itself. It follows the order when the order changes. */
export interface RatedOrder extends AskedOrder {
  readonly lines: readonly Line[];
}

/**
 * What rules ask of the moment in which an order first counts. A referral stores it, so that a later refund changes no
 * rate. While the order is an estimate, it is what they would ask now.
 */
export interface StoredFacts {
  /** The groups of the affiliate. */
  readonly groups?: readonly number[];
  /** Whether the customer had ordered before; absent without a customer. */
  readonly customer?: 'first' | 'repeat';
  /** Which payment of a subscription it is, and the day on which the subscription began. */
  readonly payment?: number;
  readonly started?: string;
  /** Which credited order of the customer it is, and the day of the first one. */
  readonly nth?: number;
  readonly since?: string;
  /** By rule, what the affiliate had collected before this order. */
  readonly counters?: Readonly<Record<string, number>>;
  /** By rule with a limit, the amount that had been earned when the order began to count. */
  readonly spent?: Readonly<Record<string, number>>;
  /** Whose commission the affiliates of the order share, and all facts are about; absent if they do not share one. */
  readonly share?: CreditedTo;
}

/** Whom an order is credited to. */
export interface CreditedTo {
  readonly affiliate: number;
  readonly coupon: number;
  readonly via: Via;
}

export interface Facts extends StoredFacts, CreditedTo {}

/** What a referral stores of the moment. */
export function storedFacts({ facts }: { readonly facts: string | null }): StoredFacts | undefined {
  // Only facts are stored there.
  return facts === null ? undefined : (JSON.parse(facts) as StoredFacts);
}

/** A referral's own columns, with what it stores of the moment. */
export function factsOf(row: Pick<ReferralRow, 'user_id' | 'coupon_id' | 'via' | 'facts'>): Facts {
  const stored = storedFacts(row);
  const own = { affiliate: row.user_id, coupon: row.coupon_id, via: row.via };
  return { ...stored, ...(stored?.share ?? own) };
}

export function ratedOrder(
  order: Pick<PreparedOrder, 'figures' | 'total' | 'day' | 'country'>,
  storeId: number | null,
): RatedOrder {
  const { total, day, country } = order;
  return { lines: order.figures.items, total, day, country, storeId };
}
