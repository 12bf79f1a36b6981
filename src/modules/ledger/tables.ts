import { id, integer, table, text, type TablesOf } from '../../db/define-table.ts';

/**
 * `earned` is the store's side of every commission; the other four are those of an account, which is a coupon and the
 * affiliate who earned on it, and their sum is what that affiliate has earned on the coupon.
 */
export const pools = ['earned', 'awaiting', 'unpaid', 'pending_payout', 'paid'] as const;
export type Pool = (typeof pools)[number];

/** What an entry comes from. */
export const kinds = ['order', 'adjustment', 'bonus', 'payout', 'hand_over'] as const;
export type LedgerKind = (typeof kinds)[number];

export const tables = {
  /** The ledger: each entry moves an amount from one pool of an account to another. */
  ledger: table({
    id: id(),
    coupon_id: integer().references('coupons.id'),
    from_pool: text<Pool>(),
    to_pool: text<Pool>(),
    amount: integer().check('amount > 0'),
    kind: text<LedgerKind>(),
    order_id: integer().orNull(),
    user_id: integer(),
    note: text(),
    created_at: integer(),
    /** The balances of the account after this entry. */
    unpaid_after: integer(),
    awaiting_after: integer(),
    pending_payout_after: integer(),
    paid_after: integer(),
    payout_id: integer().orNull(),
  })
    .index('by_coupon', ['coupon_id', 'id'])
    .index('by_payout', ['payout_id', 'id'], { where: '"payout_id" is not null' })
    .added({
      /** The case of a review because of which the amount was moved. */
      case_id: integer().orNull(),
      /** The affiliate whose account it is; 0 for none. */
      owner_id: integer().default(-1),
      /** Of a hand-over: the affiliate of the other account, which has the entry that belongs to this one; 0 for none. */
      other_owner_id: integer().orNull(),
    })
    // Statements of account find the first entry of a day by it.
    .index('by_account', ['coupon_id', 'owner_id', 'created_at', 'id']),
};

declare module '../../db/tables.ts' {
  interface Tables extends TablesOf<typeof tables> {}
}
