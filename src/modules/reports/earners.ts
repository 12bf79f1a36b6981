/** Sales and commissions of one affiliate. */
export interface Earner {
  user_id: number;
  orders_count: number;
  total_sales: number;
  total_commission: number;
  upline_commission: number;
}

/** Many earners in one row, each column a list like `1,2,3`; null for no earners. */
export type EarnerLists = Record<keyof Earner, string | null>;

/** The user id used for coupons without an owner. */
export const NO_OWNER = 0;

const nothing = { orders_count: 0, total_sales: 0, total_commission: 0, upline_commission: 0 };

/** Adds up the earnings of affiliates. */
export class Earners {
  readonly #byUser = new Map<number, Earner>();

  add(lists: EarnerLists): void {
    const orders = numbersOf(lists.orders_count);
    const sales = numbersOf(lists.total_sales);
    const commissions = numbersOf(lists.total_commission);
    const shares = numbersOf(lists.upline_commission);
    for (const [i, userId] of numbersOf(lists.user_id).entries()) {
      if (userId === NO_OWNER) continue;
      const earner = this.#of(userId);
      earner.orders_count += orders[i]!;
      earner.total_sales += sales[i]!;
      earner.total_commission += commissions[i]!;
      earner.upline_commission += shares[i]!;
    }
  }

  /** The affiliates with the highest commissions, highest first. */
  top(limit: number): Earner[] {
    return [...this.#byUser.values()]
      .filter((earner) => earner.orders_count > 0)
      .sort((a, b) => b.total_commission - a.total_commission || a.user_id - b.user_id)
      .slice(0, limit);
  }

  #of(userId: number): Earner {
    let earner = this.#byUser.get(userId);
    if (!earner) {
      earner = { user_id: userId, ...nothing };
      this.#byUser.set(userId, earner);
    }
    return earner;
  }
}

function numbersOf(list: string | null): number[] {
  // The list consists of numbers that the database has joined.
  return JSON.parse(`[${list ?? ''}]`) as number[];
}
