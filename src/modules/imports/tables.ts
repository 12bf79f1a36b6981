import { addedTable, id, integer, table, text, type TablesOf } from '../../db/define-table.ts';

export const importStates = ['running', 'done', 'undoing', 'undone'] as const;
export type ImportState = (typeof importStates)[number];

export const linkKinds = ['affiliate', 'code', 'balance', 'order'] as const;
export type LinkKind = (typeof linkKinds)[number];

export const historyKinds = ['referral', 'payout'] as const;
export type HistoryKind = (typeof historyKinds)[number];

export const tables = {
  /** An import from another system. */
  imports: table({
    id: id(),
    /** The name of the system: `affiliatewp`. */
    system: text(),
    state: text<ImportState>(),
    /** The names of the files, JSON. */
    files: text(),
    /** A digest of the files: the same files continue an import that was interrupted. */
    digest: text(),
    /** How many pieces are applied. */
    pieces: integer().default(0),
    created_at: integer(),
    ended_at: integer().orNull(),
    /** Affiliates and coupons that it created, the balance that it added in the smallest unit, and lines of history. */
    affiliates: integer().default(0),
    coupons: integer().default(0),
    balance: integer().default(0),
    records: integer().default(0),
    /** Accounts that an undo has left, because they were used since. */
    kept: integer().default(0),
    /** The user of the operating system that ran the command; empty if unknown. */
    run_by: text().default(''),
    /** Why an undo stopped, in a sentence; empty if none did. */
    reason: text().default(''),
    /** The user that asked for the undo, which a job carries out; null otherwise. */
    undo_by: integer().orNull(),
  }).added({
    /** Reward rules that it created. */
    rules: integer().default(0),
  }),
  /** What an import has created or found for a record of the old system; an undo goes back along these rows. */
  import_links: table({
    id: id(),
    import_id: integer().references('imports.id'),
    system: text(),
    kind: text<LinkKind>(),
    /** The id of the affiliate in the old system, empty for none; the number of an order. */
    external_id: text(),
    user_id: integer().references('users.id'),
    // A coupon without a history can be deleted; what the import noted about it stays.
    coupon_id: integer().orNull(),
    /** 1 if the import has created it, 0 if it was there already. */
    created: integer(),
    /** A balance: the amount that was added, in the smallest unit, and the ledger entry. */
    amount: integer().default(0),
    entry_id: integer().orNull(),
    /** The ledger entry by which an undo took the amount back; such a row stays, because the entries do. */
    undone_entry_id: integer().orNull(),
  })
    .index('by_import', ['import_id', 'id'])
    .index('by_record', ['system', 'kind', 'external_id'])
    .index('by_user', ['user_id', 'kind'])
    .index('by_coupon', ['coupon_id']),
  /**
   * Referrals and payouts of the old system, as it had them. They are no money here: the ledger has only what was still
   * owed. A later import adds a row for a record that has changed since, and the latest one counts.
   */
  import_history: table({
    id: id(),
    import_id: integer().references('imports.id'),
    system: text(),
    kind: text<HistoryKind>(),
    /** The id of the record in the old system. */
    external_id: text(),
    user_id: integer().references('users.id'),
    state: text(),
    amount: integer(),
    sale: integer().orNull(),
    reference: text(),
    happened_at: integer().orNull(),
  })
    .index('by_record', ['external_id', 'system', 'kind', 'import_id'], { unique: true })
    .index('by_user', ['user_id', 'id'])
    .index('by_import', ['import_id', 'id']),
  /** A reward rule that an import has created. */
  import_rules: addedTable({
    id: id(),
    import_id: integer().references('imports.id'),
    /** A rule may be deleted; what the import noted about it stays. */
    rule_id: integer(),
    /** The version that the rule has until someone changes it. */
    version: integer(),
  }).index('by_import', ['import_id', 'id']),
};

declare module '../../db/tables.ts' {
  interface Tables extends TablesOf<typeof tables> {}
}
