import type { Transaction } from '../../db/database.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { GatheredEvents } from '../events/index.ts';
import { GatheredMovements } from '../ledger/index.ts';
import { FigureChanges } from './figures.ts';
import {
  referralFollowers,
  type Following,
  type ReferralScope,
  type SettledReferral,
} from './follow-referral.ts';
import { saveOrders, saveReferrals, type OrderRow, type ReferralRow } from './order-store.ts';
import type { Sending } from './sending.ts';

/**
 * What orders change, gathered while they are looked at one after the other and written together: one
 * statement a table, however many orders there are.
 */
export class OrderChanges {
  readonly movements = new GatheredMovements();
  readonly events = new GatheredEvents();
  readonly figures = new FigureChanges();
  readonly #added = new Map<number, OrderRow>();
  readonly #changed = new Map<number, OrderRow>();
  readonly #referrals = new Map<string, ReferralRow>();
  readonly #followings: readonly Following[];

  static async begin(tx: Transaction, site: Site, scope: ReferralScope): Promise<OrderChanges> {
    const followers = site.registry.contributions(referralFollowers);
    const begun = followers.map((follower) => follower.begin(tx, site, scope));
    return new OrderChanges(await Promise.all(begun));
  }

  private constructor(followings: readonly Following[]) {
    this.#followings = followings;
  }

  /** The last version of an order is the one that is written. */
  saveOrder(order: OrderRow, { isNew }: { isNew: boolean }): void {
    const isAdded = isNew || this.#added.has(order.order_id);
    (isAdded ? this.#added : this.#changed).set(order.order_id, order);
  }

  saveReferral(referral: ReferralRow): void {
    this.#referrals.set(`${referral.order_id} ${referral.coupon_id}`, referral);
  }

  follow(referral: SettledReferral, sending: Sending): void {
    for (const following of this.#followings) following.follow(referral, sending, this);
  }

  /**
   * Sent without waiting in between. The sequence is the same for everybody, so that no two wait for
   * each other: the orders, their coupons, what hangs on them.
   */
  async write(tx: Transaction): Promise<void> {
    const orders = { added: [...this.#added.values()], changed: [...this.#changed.values()] };
    await Promise.all([
      saveOrders(tx, orders),
      this.movements.write(tx, this.figures.couponIds()),
      saveReferrals(tx, [...this.#referrals.values()]),
      ...this.#followings.map((following) => following.write(tx)),
      this.events.write(tx),
      this.figures.write(tx),
    ]);
  }
}
