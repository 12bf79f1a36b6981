import type { Transaction } from '../../../src/db/database.ts';
import { defineWrites, type PendingWrites } from '../../../src/db/unit-of-work.ts';
import {
  isGranted,
  UNTIL_DECIDED,
  type ReadRestraints,
  type ReferralRow,
} from '../../../src/modules/orders/index.ts';
import {
  deleteRestrained,
  findRestrained,
  updateHeld,
  upsertRestrained,
  type RestrainedReferral,
} from './restraint-rows.ts';

export type Restrained = RestrainedReferral;
type Key = Pick<RestrainedReferral, 'order_id' | 'coupon_id'>;

export function keyOf({ order_id, coupon_id }: Key): string {
  return `${order_id} ${coupon_id}`;
}

class PendingRestraints implements PendingWrites {
  readonly saved = new Map<string, RestrainedReferral>();
  readonly removed = new Map<string, Key>();

  async flush(tx: Transaction): Promise<void> {
    const writes = [tx.runMany(upsertRestrained, [...this.saved.values()])];
    for (const key of this.removed.values()) {
      const { order_id, coupon_id } = key;
      writes.push(deleteRestrained(tx, { order_id, coupon_id }).then(() => undefined));
    }
    await Promise.all(writes);
    if (!restraintsOf(tx).sumsHeld) return;
    const all = [...this.saved.values(), ...this.removed.values()];
    await updateHeld(tx, new Set(all.map(({ order_id }) => order_id)));
  }
}

const pending = defineWrites({
  name: 'review-restraints',
  after: 'referrals',
  create: () => new PendingRestraints(),
});

/** The restrained referrals of one transaction. */
class Restraints {
  readonly #tx: Transaction;
  readonly #rows = new Map<string, RestrainedReferral>();
  readonly #read = new Set<number>();
  /** What becomes of referrals when they are settled next; null ends a restraint. */
  readonly #asked = new Map<string, RestrainedReferral['restraint'] | null>();
  /** False while many referrals of one case are settled in pieces: then its sum is read once, at the end. */
  sumsHeld = true;

  constructor(tx: Transaction) {
    this.#tx = tx;
  }

  async read(orderIds: ReadonlySet<number>): Promise<void> {
    const unread = [...orderIds].filter((id) => !this.#read.has(id));
    if (unread.length === 0) return;
    for (const id of unread) this.#read.add(id);
    for (const row of await findRestrained(this.#tx, unread)) this.#rows.set(keyOf(row), row);
  }

  get(key: Key): RestrainedReferral | undefined {
    return this.#rows.get(keyOf(key));
  }

  /** What restrains a referral now, or from the next time that it is settled. */
  asked(key: Key): RestrainedReferral['restraint'] | null | undefined {
    const asked = this.#asked.get(keyOf(key));
    return asked === undefined ? this.get(key)?.restraint : asked;
  }

  /** Restrains a referral that is about to be created: a rejection is stronger than a hold. */
  add(key: Key, restraint: RestrainedReferral['restraint']): void {
    if (this.#asked.get(keyOf(key)) !== 'rejected') this.set(key, restraint);
  }

  /** Restrains a referral from the next time that it is settled. */
  set(key: Key, restraint: RestrainedReferral['restraint']): void {
    this.#asked.set(keyOf(key), restraint);
  }

  /** Ends the restraint of a referral when it is settled next. */
  end(key: Key): void {
    this.#asked.set(keyOf(key), null);
  }

  free(stored: ReferralRow): ReferralRow {
    const row = this.get(stored);
    if (!row || row.restraint === 'sent') return stored;
    const { state, release_at, commission } = row;
    return { ...stored, state, release_at, commission };
  }

  restrain(free: ReferralRow): ReferralRow {
    if (this.#rows.size === 0 && this.#asked.size === 0) return free;
    const key = keyOf(free);
    const asked = this.#asked.get(key);
    const restraint = asked === undefined ? this.#goesOn(free, this.#rows.get(key)) : asked;
    if (restraint === undefined) return free;
    if (restraint === null) {
      this.#remove(free);
      return free;
    }
    const { order_id, coupon_id, state, release_at, commission } = free;
    this.#save({ order_id, coupon_id, restraint, state, release_at, commission });
    if (restraint === 'rejected') {
      return { ...free, state: 'void', commission: 0, awaiting: 0, granted: 0, release_at: null };
    }
    if (restraint === 'sent' || !isGranted(free)) return free;
    const held = { state: 'awaiting' as const, awaiting: commission, granted: 0 };
    return { ...free, ...held, release_at: UNTIL_DECIDED };
  }

  /**
   * What was not held because it was paid out is held from the moment when there is more of it. What is taken back
   * in between was paid out for nothing: if it comes again, there is more.
   */
  #goesOn(free: ReferralRow, row: RestrainedReferral | undefined) {
    if (row?.restraint !== 'sent') return row?.restraint;
    const commission = free.state === 'granted' ? free.commission : 0;
    if (commission > row.commission) return 'held';
    if (commission < row.commission) this.#save({ ...row, commission });
    return undefined;
  }

  #remove({ order_id, coupon_id }: Key): void {
    const key = keyOf({ order_id, coupon_id });
    if (!this.#rows.delete(key)) return;
    const { saved, removed } = this.#tx.pending(pending);
    saved.delete(key);
    removed.set(key, { order_id, coupon_id });
  }

  #save(row: RestrainedReferral): void {
    const key = keyOf(row);
    this.#rows.set(key, row);
    const { saved, removed } = this.#tx.pending(pending);
    saved.set(key, row);
    removed.delete(key);
  }
}

const ofTransactions = new WeakMap<Transaction, Restraints>();

export function restraintsOf(tx: Transaction): Restraints {
  let found = ofTransactions.get(tx);
  if (!found) ofTransactions.set(tx, (found = new Restraints(tx)));
  return found;
}

/** An order that is new has no restraint that must be read. */
export const readRestraints: ReadRestraints = async (tx, _site, orderIds) => {
  const restraints = restraintsOf(tx);
  await restraints.read(orderIds);
  return restraints;
};
