import type { Transaction } from '../../db/database.ts';
import { defineWrites, type PendingWrites } from '../../db/unit-of-work.ts';
import { toOwnerId } from '../coupons/index.ts';
import {
  addToBalances,
  addToFormerBalances,
  balancesToChange,
  formerBalances,
  insertEntries,
  type AccountBalances,
  type Balances,
  type CouponBalances,
  type NewLedgerEntry,
} from './ledger-rows.ts';
import type { kinds, Pool } from './tables.ts';

/** A coupon and the affiliate who earned on it; null for money that no affiliate has earned. */
export interface Account {
  couponId: number;
  ownerId: number | null;
}

/** A movement from one pool of an account to another, in minor units. */
export interface Movement extends Account {
  from: Pool;
  to: Pool;
  /** A negative amount moves the other way; zero moves nothing. */
  amount: number;
  kind: (typeof kinds)[number];
  orderId: number | null;
  payoutId?: number;
  /** The case of a review because of which it is moved. */
  caseId?: number | undefined;
  /** Of a hand-over: the affiliate of the other account. */
  otherOwnerId?: number | null;
  userId: number;
  note: string;
  nowMs: number;
}

const keyOf = ({ couponId, ownerId }: Account) => `${couponId} ${toOwnerId(ownerId)}`;

const noBalances = (): Balances => ({ unpaid: 0, awaiting: 0, pending_payout: 0, paid: 0 });

/** The movements of one transaction, and the accounts that it changes. */
class PendingMovements implements PendingWrites {
  readonly #movements: Movement[] = [];
  /** By coupon that the transaction has locked, its affiliate. */
  readonly #owners = new Map<number, number | null>();
  /** By account of a locked coupon, the balances as they were then. */
  readonly #balances = new Map<string, Balances>();
  readonly #toLock = new Set<number>();
  #locked: Promise<void> | undefined;

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
    const ids = new Set(couponIds).difference(this.#owners);
    for (const { id, user_id, ...balances } of await tx.allByKeys(balancesToChange, [...ids])) {
      this.#owners.set(id, user_id);
      this.#balances.set(keyOf({ couponId: id, ownerId: user_id }), balances);
    }
  }

  /** Reads former accounts of locked coupons. Nearly all movements are of today's accounts, and need none. */
  async readFormer(tx: Transaction, accounts: readonly Account[]): Promise<void> {
    const unread = accounts.filter((account) => !this.#balances.has(keyOf(account)));
    if (unread.length === 0) return;
    const couponIds = new Set(unread.map(({ couponId }) => couponId));
    for (const row of await tx.allByKeys(formerBalances, [...couponIds])) {
      const key = keyOf({ couponId: row.coupon_id, ownerId: row.user_id });
      if (!this.#balances.has(key)) this.#balances.set(key, row);
    }
    for (const account of unread) {
      const key = keyOf(account);
      if (!this.#balances.has(key)) this.#balances.set(key, noBalances());
    }
  }

  /** The unpaid balance of an account of a locked coupon, with the movements added so far. */
  unpaid(account: Account): number {
    const key = keyOf(account);
    let unpaid = this.#balances.get(key)?.unpaid ?? 0;
    for (const movement of this.#movements) {
      if (keyOf(movement) !== key) continue;
      if (movement.from === 'unpaid') unpaid -= movement.amount;
      if (movement.to === 'unpaid') unpaid += movement.amount;
    }
    return unpaid;
  }

  /** Of the coupons that the flush has locked: for writes that are flushed after the ledger. */
  async owners(): Promise<ReadonlyMap<number, number | null>> {
    await this.#locked;
    return this.#owners;
  }

  /** What a case takes out of unpaid balances. */
  couponsTakenFrom(caseId: number): Set<number> {
    const taken = this.#movements.filter((one) => one.caseId === caseId && one.from === 'unpaid');
    return new Set(taken.map(({ couponId }) => couponId));
  }

  async flush(tx: Transaction): Promise<void> {
    this.#locked = this.lock(tx, this.#toLock);
    await this.#locked;
    if (this.#movements.length === 0) return;
    await this.readFormer(tx, this.#movements);
    const changes = new Map<number, CouponBalances & { roster_due: 1 }>();
    const former = new Map<string, AccountBalances>();
    // Nearly no transaction has one, and each column costs every entry its time.
    const hasCases = this.#movements.some(({ caseId }) => caseId !== undefined);
    const hasHandOvers = this.#movements.some(({ kind }) => kind === 'hand_over');
    const entries = this.#movements.map((movement) => {
      const { couponId, ownerId, from, to, amount } = movement;
      const key = keyOf(movement);
      const balances = this.#balances.get(key)!;
      // The mark is on the coupon for its former accounts, too.
      let change: Balances | undefined = changes.get(couponId);
      if (!change) {
        const added = { id: couponId, ...noBalances(), roster_due: 1 as const };
        changes.set(couponId, added);
        change = added;
      }
      if (toOwnerId(ownerId) !== toOwnerId(this.#owners.get(couponId) ?? null)) {
        change = former.get(key);
        if (!change) {
          const added = { coupon_id: couponId, user_id: toOwnerId(ownerId), ...noBalances() };
          former.set(key, added);
          change = added;
        }
      }
      for (const sums of [balances, change]) {
        if (from !== 'earned') sums[from] -= amount;
        if (to !== 'earned') sums[to] += amount;
      }
      return {
        ...toEntry(movement, balances),
        ...(hasCases && { case_id: movement.caseId ?? null }),
        ...(hasHandOvers && { other_owner_id: movement.otherOwnerId ?? null }),
      };
    });
    await Promise.all([
      tx.runMany(addToBalances, [...changes.values()]),
      tx.runMany(addToFormerBalances, [...former.values()]),
      tx.runMany(insertEntries, entries),
    ]);
  }
}

function toEntry(movement: Movement, after: Balances): NewLedgerEntry {
  return {
    coupon_id: movement.couponId,
    owner_id: toOwnerId(movement.ownerId),
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

/** Adds a movement to the ledger. The entry and the account's balances are written with the transaction. */
export function post(tx: Transaction, movement: Movement): void {
  tx.pending(movements).add(movement);
}

/** What an order has brought an account so far. */
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

/** Locks coupons with all their accounts until the transaction ends, for a decision that depends on the balances. */
export function lockBalances(tx: Transaction, couponIds: Iterable<number>): Promise<void> {
  return tx.pending(movements).lock(tx, couponIds);
}

/** The affiliates of coupons that a flush locks. */
export interface LockedOwners {
  owners(): Promise<ReadonlyMap<number, number | null>>;
}

/** Locks a coupon together with those of the movements, for writes to it that are flushed after the ledger. */
export function lockAtFlush(tx: Transaction, couponId: number): LockedOwners {
  const pending = tx.pending(movements);
  pending.lockAtFlush(couponId);
  return pending;
}

/** Sets unpaid money aside for a payout. Returns false, and moves nothing, where there is less than that. */
export async function setAside(
  tx: Transaction,
  movement: Omit<Movement, 'from' | 'to'>,
): Promise<boolean> {
  const pending = tx.pending(movements);
  await pending.lock(tx, [movement.couponId]);
  await pending.readFormer(tx, [movement]);
  if (pending.unpaid(movement) < movement.amount) return false;
  post(tx, { ...movement, from: 'unpaid', to: 'pending_payout' });
  return true;
}
