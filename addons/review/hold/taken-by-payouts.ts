import type { Transaction } from '../../../src/db/database.ts';
import type { Site } from '../../../src/kernel/declare/site.ts';
import { takenCommissions, type TakenCommission } from '../../../src/modules/ledger/index.ts';
import { insertPayoutMarks } from './restraint-rows.ts';

const nothing: TakenCommission = { sent: 0, unsent: [] };

/** What payouts have of the commission of some orders: asked once for each coupon, and only where it matters. */
export class TakenByPayouts {
  readonly #tx: Transaction;
  readonly #site: Site;
  readonly #orderIds: ReadonlySet<number>;
  readonly #found = new Map<number, ReadonlyMap<number, TakenCommission>>();

  constructor(tx: Transaction, site: Site, orderIds: ReadonlySet<number>) {
    this.#tx = tx;
    this.#site = site;
    this.#orderIds = orderIds;
  }

  async of(couponId: number, orderId: number): Promise<TakenCommission> {
    return (await this.#on(couponId)).get(orderId) ?? nothing;
  }

  /** Marks the payouts of a coupon that have commission of these orders and were not sent: they wait for the case. */
  async mark(caseId: number, couponId: number, orderIds = this.#orderIds): Promise<void> {
    const found = await this.#on(couponId);
    const unsent = new Set([...orderIds].flatMap((id) => found.get(id)?.unsent ?? []));
    const marks = Array.from(unsent, (payout_id) => ({ case_id: caseId, payout_id }));
    await this.#tx.runMany(insertPayoutMarks, marks);
  }

  /** Empty without payouts. */
  async #on(couponId: number): Promise<ReadonlyMap<number, TakenCommission>> {
    let found = this.#found.get(couponId);
    if (!found) {
      const points = this.#site.registry.allContributions(takenCommissions);
      const asked = { coupon_id: couponId, orderIds: this.#orderIds };
      const all = await Promise.all(points.map((find) => find(this.#tx, asked)));
      this.#found.set(couponId, (found = new Map(all.flatMap((one) => [...one]))));
    }
    return found;
  }
}
