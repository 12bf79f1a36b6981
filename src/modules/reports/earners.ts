import { NO_OWNER, type OrderSums } from './coupon-sums-rows.ts';
import { numbersOf, type NumberLists } from './number-lists.ts';

/** Sales and commissions of one affiliate. */
export interface Earner extends OrderSums {
  readonly user_id: number;
}

/** Many earners in one row. */
export type EarnerLists = NumberLists<
  'user_id' | 'orders_count' | 'total_sales' | 'total_commission' | 'upline_commission'
>;

/** Adds up the earnings of affiliates. */
export class Earners {
  readonly #byUser = new Map<number, Earner>();

  addLists(lists: EarnerLists): void {
    const orders = numbersOf(lists.orders_count);
    const sales = numbersOf(lists.total_sales);
    const commissions = numbersOf(lists.total_commission);
    const shares = numbersOf(lists.upline_commission);
    for (const [i, userId] of numbersOf(lists.user_id).entries()) {
      this.add(userId, {
        orders: orders[i]!,
        sales: sales[i]!,
        commission: commissions[i]!,
        upline_commission: shares[i]!,
      });
    }
  }

  add(userId: number, sums: OrderSums): void {
    const earner = this.sumsOf(userId);
    earner.orders += sums.orders;
    earner.sales += sums.sales;
    earner.commission += sums.commission;
    earner.upline_commission += sums.upline_commission;
  }

  /** Those with orders. */
  all(): Earner[] {
    return [...this.#byUser.values()].filter(
      ({ user_id, orders }) => user_id !== NO_OWNER && orders > 0,
    );
  }

  /** The affiliates with the highest commissions, highest first. */
  top(limit: number): Earner[] {
    return this.all()
      .sort((a, b) => b.commission - a.commission || a.user_id - b.user_id)
      .slice(0, limit);
  }

  sumsOf(userId: number): OrderSums {
    let earner = this.#byUser.get(userId);
    if (!earner) {
      earner = { user_id: userId, orders: 0, sales: 0, commission: 0, upline_commission: 0 };
      this.#byUser.set(userId, earner);
    }
    return earner;
  }
}
