import type { Transaction } from '../../db/database.ts';
import { defineWrites, type PendingWrites } from '../../db/unit-of-work.ts';
import {
  addToBalances,
  balancesToChange,
  insertEntries,
  type Balances,
  type CouponBalances,
  type NewLedgerEntry,
} from './ledger-rows.ts';
import type { kinds, Pool } from './tables.ts';

/** A movement from one pool to another, in minor units. */
export interface Movement {
  couponId: number;
  from: Pool;
  to: Pool;
  /** A negative amount moves the other way; zero moves nothing. */
  amount: number;
  kind: (typeof kinds)[number];
  orderId: number | null;
  payoutId?: number;
  /** The case of a review because of which it is moved. */
  caseId?: number | undefined;
  userId: number;
  note: string;
  nowMs: number;
}

/** The movements of one transaction, and the coupons that it changes. */
class PendingMovements implements PendingWrites {
  readonly #movements: Movement[] = [];
  /** Coupons that the transaction has locked, as they were then. */
  readonly #balances = new Map<number, Balances>();
  readonly #toLock = new Set<number>();

  add(movement: Movement): void {
    const { couponId, from, to, amount } = movement;
    if (amount === 0) return;
    this.#toLock.add(couponId);
    this.#movements.push(
      amount > 0 ? movement : { ...movement, from: to, to: from, amount: -amount },
    );
  }

  lockAtFlush(couponId: number): void {
    this.#toLock.add(couponId);
  }

  async lock(tx: Transaction, couponIds: Iterable<number>): Promise<void> {
    const ids = new Set(couponIds).difference(this.#balances);
    for (const coupon of await tx.allByKeys(balancesToChange, [...ids])) {
      this.#balances.set(coupon.id, coupon);
    }
  }

  /** The unpaid balance of a locked coupon, with the movements added so far. */
  unpaid(couponId: number): number {
    let unpaid = this.#balances.get(couponId)?.unpaid ?? 0;
    for (const movement of this.#movements) {
      if (movement.couponId !== couponId) continue;
      if (movement.from === 'unpaid') unpaid -= movement.amount;
      if (movement.to === 'unpaid') unpaid += movement.amount;
    }
    return unpaid;
  }

  /** What a case takes out of unpaid balances. */
  couponsTakenFrom(caseId: number): Set<number> {
    const taken = this.#movements.filter((one) => one.caseId === caseId && one.from === 'unpaid');
    return new Set(taken.map(({ couponId }) => couponId));
  }

  async flush(tx: Transaction): Promise<void> {
    await this.lock(tx, this.#toLock);
    if (this.#movements.length === 0) return;
    const changes = new Map<number, CouponBalances & { roster_due: 1 }>();
    // Nearly no transaction has one, and each column costs every entry its time.
    const hasCases = this.#movements.some(({ caseId }) => caseId !== undefined);
    const entries = this.#movements.map((movement) => {
      const { couponId, from, to, amount } = movement;
      const balances = this.#balances.get(couponId)!;
      let change = changes.get(couponId);
      if (!change) {
        change = {
          id: couponId,
          unpaid: 0,
          awaiting: 0,
          pending_payout: 0,
          paid: 0,
          roster_due: 1,
        };
        changes.set(couponId, change);
      }
      for (const sums of [balances, change]) {
        if (from !== 'earned') sums[from] -= amount;
        if (to !== 'earned') sums[to] += amount;
      }
      const entry = toEntry(movement, balances);
      return hasCases ? { ...entry, case_id: movement.caseId ?? null } : entry;
    });
    await Promise.all([
      tx.runMany(addToBalances, [...changes.values()]),
      tx.runMany(insertEntries, entries),
    ]);
  }
}

function toEntry(movement: Movement, after: Balances): NewLedgerEntry {
  return {
    coupon_id: movement.couponId,
    from_pool: movement.from,
    to_pool: movement.to,
    amount: movement.amount,
    kind: movement.kind,
    order_id: movement.orderId,
    payout_id: movement.payoutId ?? null,
    user_id: movement.userId,
    note: movement.note,
    created_at: movement.nowMs,
    unpaid_after: after.unpaid,
    awaiting_after: after.awaiting,
    pending_payout_after: after.pending_payout,
    paid_after: after.paid,
  };
}

const movements = defineWrites({ name: 'ledger', create: () => new PendingMovements() });

/** Adds a movement to the ledger. The entry and the coupon's balances are written with the transaction. */
export function post(tx: Transaction, movement: Movement): void {
  tx.pending(movements).add(movement);
}

/** What an order has brought a coupon so far. */
interface Earnings {
  readonly awaiting: number;
  readonly granted: number;
}

/** Brings the ledger from what an order was worth to what it is worth now. */
export function postEarnings(
  tx: Transaction,
  before: Earnings | undefined,
  after: Earnings,
  entry: Omit<Movement, 'from' | 'to' | 'amount'>,
): void {
  const awaiting = after.awaiting - (before?.awaiting ?? 0);
  const granted = after.granted - (before?.granted ?? 0);
  // Commission that was awaiting and is granted now moves on; only the rest comes from the store.
  const moved = awaiting < 0 && granted > 0 ? Math.min(-awaiting, granted) : 0;
  post(tx, { ...entry, from: 'awaiting', to: 'unpaid', amount: moved });
  post(tx, { ...entry, from: 'earned', to: 'awaiting', amount: awaiting + moved });
  post(tx, { ...entry, from: 'earned', to: 'unpaid', amount: granted - moved });
}

/** The coupons whose unpaid balances this transaction lowers because of a case. */
export function couponsTakenFrom(tx: Transaction, caseId: number): Set<number> {
  return tx.pending(movements).couponsTakenFrom(caseId);
}

/** Locks coupons until the transaction ends, for a decision that depends on their balances. */
export function lockBalances(tx: Transaction, couponIds: Iterable<number>): Promise<void> {
  return tx.pending(movements).lock(tx, couponIds);
}

/** Locks a coupon together with those of the movements, for writes to it that are flushed after the ledger. */
export function lockAtFlush(tx: Transaction, couponId: number): void {
  tx.pending(movements).lockAtFlush(couponId);
}

/** Sets unpaid money aside for a payout. Returns false, and moves nothing, where there is less than that. */
export async function setAside(
  tx: Transaction,
  movement: Omit<Movement, 'from' | 'to'>,
): Promise<boolean> {
  await lockBalances(tx, [movement.couponId]);
  if (tx.pending(movements).unpaid(movement.couponId) < movement.amount) return false;
  post(tx, { ...movement, from: 'unpaid', to: 'pending_payout' });
  return true;
}
