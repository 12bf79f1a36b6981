/** What an affiliate has brought in and earned. */
export interface Earner {
  user_id: number;
  orders_count: number;
  total_sales: number;
  total_commission: number;
  upline_commission: number;
}

/** Many of them in one row, each column as a list like `1,2,3`; null when there is nobody. */
export type EarnerLists = Record<keyof Earner, string | null>;

/** Stands for the owner of coupons that belong to nobody. */
export const NOBODY = 0;

const nothing = { orders_count: 0, total_sales: 0, total_commission: 0, upline_commission: 0 };

/** Affiliates and what they have earned, added up piece by piece. */
export class Earners {
  readonly #byUser = new Map<number, Earner>();

  add(lists: EarnerLists): void {
    const orders = numbersOf(lists.orders_count);
    const sales = numbersOf(lists.total_sales);
    const commissions = numbersOf(lists.total_commission);
    const shares = numbersOf(lists.upline_commission);
    for (const [i, userId] of numbersOf(lists.user_id).entries()) {
      if (userId === NOBODY) continue;
      const earner = this.#of(userId);
      earner.orders_count += orders[i]!;
      earner.total_sales += sales[i]!;
      earner.total_commission += commissions[i]!;
      earner.upline_commission += shares[i]!;
    }
  }

  /** Those who earned most, first. */
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
  return JSON.parse(`[${list ?? ''}]`);
}
