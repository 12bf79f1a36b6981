import type { Selectable } from 'kysely';
import type { Reader, Transaction } from '../../db/database.ts';
import { byNumber } from '../../db/statements/keyed-query.ts';
import { query } from '../../db/statements/query.ts';
import { insertRows, updateRows } from '../../db/statements/rows-query.ts';
import type { JournalTable } from './tables.ts';

/**
 * Where money stands. `earned` is the store's side of every commission; the other four are the
 * coupon's, and what they hold together is what the coupon has earned.
 */
export const pools = ['earned', 'awaiting', 'unpaid', 'pending_payout', 'paid'] as const;
export type Pool = (typeof pools)[number];
type CouponPool = Exclude<Pool, 'earned'>;

/** What a movement comes from. */
export const kinds = ['order', 'adjustment', 'payout'] as const;

export type JournalRow = Selectable<JournalTable>;

/** A movement from one pool to another, in minor units. */
export interface Movement {
  couponId: number;
  from: Pool;
  to: Pool;
  /** A negative amount moves the other way; zero moves nothing. */
  amount: number;
  kind: (typeof kinds)[number];
  orderId: number | null;
  userId: number;
  note: string;
  nowMs: number;
}

type Balances = Record<CouponPool, number>;

const moveAll = updateRows<{ id: number } & Balances>(
  'coupons',
  { id: 'number', unpaid: 'number', awaiting: 'number', pending_payout: 'number', paid: 'number' },
  { key: ['id'], set: [], add: ['unpaid', 'awaiting', 'pending_payout', 'paid'] },
);

const moveFromUnpaid = query<{ coupon_id: number; amount: number; pending_payout: number }>(
  (db, p) =>
    db
      .updateTable('coupons')
      .set((eb) => ({
        unpaid: eb('unpaid', '-', p.amount),
        pending_payout: eb('pending_payout', '+', p.pending_payout),
      }))
      .where('id', '=', p.coupon_id)
      .where('unpaid', '>=', p.amount),
);

/** Asked for after the change: `returning` was measured to cost four times as much as both. */
const balancesOf = query<{ coupon_id: number }, Balances>((db, p) =>
  db
    .selectFrom('coupons')
    .select(['unpaid', 'awaiting', 'pending_payout', 'paid'])
    .where('id', '=', p.coupon_id),
);

/** In the sequence of their numbers: whoever changes several takes them in the same one. */
const balancesToChange = byNumber<{ id: number } & Balances>((db, isKey, dialect) =>
  dialect.lockForUpdate(
    db
      .selectFrom('coupons')
      .select(['id', 'unpaid', 'awaiting', 'pending_payout', 'paid'])
      .where(isKey('id'))
      .orderBy('id') as never,
  ),
);

const insertAll = insertRows<Omit<JournalRow, 'id'>>('journal', {
  coupon_id: 'number',
  from_pool: 'text',
  to_pool: 'text',
  amount: 'number',
  kind: 'text',
  order_id: 'number',
  user_id: 'number',
  note: 'text',
  created_at: 'number',
  unpaid_after: 'number',
  awaiting_after: 'number',
  pending_payout_after: 'number',
  paid_after: 'number',
});

/** Movements of one transaction, gathered to be written together. */
export class GatheredMovements {
  readonly #movements: Movement[] = [];
  /** Of coupons that nobody else changes. */
  readonly #balances = new Map<number, Balances>();

  post(movement: Movement): void {
    if (movement.amount > 0) this.#movements.push(movement);
    if (movement.amount < 0) {
      const { from, to, amount } = movement;
      this.#movements.push({ ...movement, from: to, to: from, amount: -amount });
    }
  }

  /** From here on nobody else changes these coupons: for those who decide by what they see of them. */
  async hold(tx: Transaction, couponIds: Iterable<number>): Promise<void> {
    const others = new Set(couponIds).difference(this.#balances);
    for (const coupon of await tx.allByKeys(balancesToChange, [...others])) {
      this.#balances.set(coupon.id, coupon);
    }
  }

  /**
   * Writes them into the journal and moves the balances with them: once, at the end. Nobody else
   * changes these coupons from then on, nor `others`, which the transaction is going to change.
   */
  async write(tx: Transaction, others: readonly number[] = []): Promise<void> {
    const moved = new Set(this.#movements.map(({ couponId }) => couponId));
    await this.hold(tx, [...moved, ...others]);
    const changes = new Map<number, { id: number } & Balances>();
    for (const id of moved) {
      changes.set(id, { id, unpaid: 0, awaiting: 0, pending_payout: 0, paid: 0 });
    }
    const rows = this.#movements.map((movement) => {
      const { couponId, from, to, amount } = movement;
      const balances = this.#balances.get(couponId)!;
      for (const standing of [balances, changes.get(couponId)!]) {
        if (from !== 'earned') standing[from] -= amount;
        if (to !== 'earned') standing[to] += amount;
      }
      return toRow(movement, balances);
    });
    await Promise.all([tx.runMany(moveAll, [...changes.values()]), tx.runMany(insertAll, rows)]);
  }
}

function toRow(movement: Movement, after: Balances): Omit<JournalRow, 'id'> {
  return {
    coupon_id: movement.couponId,
    from_pool: movement.from,
    to_pool: movement.to,
    amount: movement.amount,
    kind: movement.kind,
    order_id: movement.orderId,
    user_id: movement.userId,
    note: movement.note,
    created_at: movement.nowMs,
    unpaid_after: after.unpaid,
    awaiting_after: after.awaiting,
    pending_payout_after: after.pending_payout,
    paid_after: after.paid,
  };
}

/** Writes a movement into the journal and moves the balances with it. */
export async function post(tx: Transaction, movement: Movement): Promise<void> {
  const movements = new GatheredMovements();
  movements.post(movement);
  await movements.write(tx);
}

/**
 * Sets unpaid money aside for a payout, and tells whether there was as much: the balance is compared
 * and lowered in one step, so that of two payouts that want the same money one goes without.
 */
export async function setAside(
  tx: Transaction,
  movement: Omit<Movement, 'from' | 'to'>,
): Promise<boolean> {
  const { couponId, amount } = movement;
  const moved = await tx.run(moveFromUnpaid, {
    coupon_id: couponId,
    amount,
    pending_payout: amount,
  });
  if (moved === 0) return false;
  const after = (await tx.first(balancesOf, { coupon_id: couponId }))!;
  const row = toRow({ ...movement, from: 'unpaid', to: 'pending_payout' }, after);
  await tx.runMany(insertAll, [row]);
  return true;
}

const countOf = query<{ coupon_id: number }, { total: number }>((db, p) =>
  db
    .selectFrom('journal')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where('coupon_id', '=', p.coupon_id),
);

const pageOf = query<{ coupon_id: number; limit: number; offset: number }, JournalRow>((db, p) =>
  db
    .selectFrom('journal')
    .selectAll()
    .where('coupon_id', '=', p.coupon_id)
    .orderBy('id', 'desc')
    .limit(p.limit)
    .offset(p.offset),
);

export async function countEntries(db: Reader, couponId: number): Promise<number> {
  return (await db.first(countOf, { coupon_id: couponId }))!.total;
}

export function listEntries(
  db: Reader,
  couponId: number,
  page: { limit: number; offset: number },
): Promise<JournalRow[]> {
  return db.all(pageOf, { coupon_id: couponId, ...page });
}
