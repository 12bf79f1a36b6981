import type { TriedReferral } from '../orders/index.ts';

/** Amounts in minor units. */
interface Change {
  before: number;
  after: number;
}

export interface TrialResult {
  readonly totals: Change;
  /** Affiliates whose commission changes, the largest loss first. */
  readonly affiliates: readonly (Change & { user_id: number })[];
  /** How many affiliates lose. */
  readonly losing: number;
  /** Orders that change most. */
  readonly orders: readonly (Change & { order_id: number; user_id: number })[];
}

const AFFILIATES_MAX = 1_000;
const ORDERS_MAX = 10;

const gainOf = ({ before, after }: Change) => after - before;

/** Adds up what referrals earn before and after. */
export class TrialSums {
  readonly #totals: Change = { before: 0, after: 0 };
  readonly #affiliates = new Map<number, Change>();
  #orders: (Change & { order_id: number; user_id: number })[] = [];

  add({ orderId: order_id, userId: user_id, before, after }: TriedReferral): void {
    this.#totals.before += before;
    this.#totals.after += after;
    let sums = this.#affiliates.get(user_id);
    if (!sums) this.#affiliates.set(user_id, (sums = { before: 0, after: 0 }));
    sums.before += before;
    sums.after += after;
    if (before !== after) this.#addOrder({ order_id, user_id, before, after });
  }

  result(): TrialResult {
    const changed = Array.from(this.#affiliates, ([user_id, sums]) => ({ user_id, ...sums }))
      .filter((one) => gainOf(one) !== 0)
      .sort((a, b) => gainOf(a) - gainOf(b) || a.user_id - b.user_id);
    return {
      totals: this.#totals,
      affiliates: changed.slice(0, AFFILIATES_MAX),
      losing: changed.filter((one) => gainOf(one) < 0).length,
      orders: this.#orders,
    };
  }

  #addOrder(order: Change & { order_id: number; user_id: number }): void {
    const size = Math.abs(gainOf(order));
    const last = this.#orders[ORDERS_MAX - 1];
    if (last && Math.abs(gainOf(last)) >= size) return;
    this.#orders = [...this.#orders, order]
      .sort((a, b) => Math.abs(gainOf(b)) - Math.abs(gainOf(a)))
      .slice(0, ORDERS_MAX);
  }
}
