import { id, integer, table, text, type TablesOf } from '../../src/db/define-table.ts';

export const connectionStates = ['connected', 'receiving', 'degraded', 'failed', 'paused'] as const;
export type ConnectionState = (typeof connectionStates)[number];

export const deliveryStates = ['received', 'done', 'ignored', 'failed'] as const;
export type DeliveryState = (typeof deliveryStates)[number];

export const syncTasks = ['reconcile', 'import', 'remap'] as const;
export type SyncTask = (typeof syncTasks)[number];

export const tables = {
  /** A connected store. A deleted one stays, because its orders keep their numbers. */
  store_connections: table({
    id: id(),
    kind: text(),
    name: text(),
    /** The store's base address; empty for a kind without one. */
    url: text(),
    state: text<ConnectionState | 'deleted'>(),
    /** A sentence about the state; empty while everything works. */
    reason: text().default(''),
    /** Since when it does not work. */
    failing_since: integer().orNull(),
    /** The secret that signs deliveries, encrypted; empty if there is none. */
    secret: text(),
    /** The secret before that, which is accepted until `previous_until`. */
    previous_secret: text().default(''),
    previous_until: integer().orNull(),
    /** JSON object, encrypted; empty without credentials. */
    credentials: text().default(''),
    /** JSON object: what one unit of a currency is worth in the currency of the site. */
    exchange_rates: text().default('{}'),
    /** JSON object: the discount of codes that are created in the store; empty if none are. */
    coupon_discount: text().default(''),
    /** 1 or 0; null while unknown. */
    webhooks_active: integer().orNull(),
    last_delivery_at: integer().orNull(),
    last_order_at: integer().orNull(),
    /** Orders that reconciling found and no delivery had brought. */
    missed_found: integer().default(0),
    /** Deliveries with a wrong signature. */
    rejected: integer().default(0),
    rejected_at: integer().orNull(),
    rejected_reason: text().default(''),
    created_at: integer(),
    /** The `failing_since` that the administrators were mailed about. */
    reported_since: integer().orNull(),
    /** What tells the store apart from others of its kind, also after the connection is deleted: its host with its folder. Null: not its address. */
    host: text().orNull(),
    /** The store's own id of its account, where the kind has one and the credentials can read it. */
    account: text().orNull(),
    /** The settings that its orders were mapped with, as JSON; empty for the default ones. */
    mapped_by: text().default(''),
  })
    .index('by_host', ['kind', 'host'], { unique: true, where: '"host" is not null' })
    .index('by_account', ['kind', 'account'], { unique: true, where: '"account" is not null' })
    .added({
      /** JSON array of sentences: what the store does not show or allow, and what follows from it. */
      limits: text().default('[]'),
    }),
  /** What stores have sent: the inbox. */
  store_deliveries: table({
    id: id(),
    connection_id: integer().references('store_connections.id'),
    topic: text(),
    external_id: text().orNull(),
    /** Unique for the connection: a repeated delivery is kept once. */
    dedupe_key: text(),
    /** JSON object of the headers that the connector names. */
    headers: text(),
    /** The body as text, or in base64 where it is not valid UTF-8 or contains NUL. */
    body: text(),
    is_base64: integer(),
    state: text<DeliveryState>(),
    /** Why it failed or was ignored, or why it waits; empty otherwise. */
    reason: text().default(''),
    attempts: integer().default(0),
    /** When it is processed next; while it is, the end of the lease; null when it is settled. */
    due_at: integer().orNull(),
    /** Our number of the order that it is about. */
    order_id: integer().orNull(),
    received_at: integer(),
  })
    .index('once', ['connection_id', 'dedupe_key'], { unique: true })
    .index('due', ['connection_id', 'due_at', 'id'], { where: '"due_at" is not null' })
    .index('failed', ['connection_id', 'id'], { where: "state = 'failed'" })
    .index('by_age', ['received_at'])
    .index('by_connection', ['connection_id', 'id']),
  /** The ids of a store's orders, one to one with our numbers, for ever. */
  store_orders: table({
    connection_id: integer().references('store_connections.id'),
    external_id: text(),
    order_id: integer(),
    /** When the store is asked about the order again, because it or a refund of it may be deleted; null if not. */
    reread_at: integer().orNull(),
    /**
     * When the stored version was seen: sent by the store, or read there. Of two versions of the same second the one that
     * was seen later counts. Null before the first one is stored.
     */
    observed_at: integer().orNull(),
  })
    .key('connection_id', 'external_id')
    .index('by_number', ['order_id'], { unique: true })
    .index('reread', ['connection_id', 'reread_at'], { where: '"reread_at" is not null' })
    .added({
      /**
       * When the store was first asked without effect since it was last seen there: it answered that it has no such order,
       * which decides nothing by itself. Null if it shows the order.
       */
      unseen_at: integer().orNull(),
    })
    .index('unseen', ['connection_id', 'unseen_at'], { where: '"unseen_at" is not null' }),
  /** Reading orders from a store: what has changed since, the history, or what is known, to map it again. */
  store_syncs: table({
    connection_id: integer().references('store_connections.id'),
    task: text<SyncTask>(),
    /** Orders that changed at or after this instant are read. */
    since_at: integer(),
    /** The page to read next; null for the first. */
    page: text().orNull(),
    /** When reading began; null between two runs. The next run starts there, with an overlap. */
    begun_at: integer().orNull(),
    /** When the next page is due; while it is read, the end of the lease; null if nothing is to be done. */
    due_at: integer().orNull(),
    /** The lease of the process that reads; empty if none does. */
    lease: text().default(''),
    /** Failed attempts in a row. */
    failures: integer().default(0),
    /** Orders read in this run. */
    done: integer().default(0),
    /** Orders that were new or changed in this run. */
    changed: integer().default(0),
    /** All orders of this run, if the store says so. */
    total: integer().orNull(),
    finished_at: integer().orNull(),
    /** 1 from the start of a server until the run that follows is complete: deliveries may have been missed. */
    catching_up: integer().default(0),
  }).key('connection_id', 'task'),
  /** Codes that are created in a store. */
  store_coupons: table({
    connection_id: integer().references('store_connections.id'),
    coupon_id: integer(),
    code: text(),
    /** 1 if the code is to work in the store. */
    active: integer(),
    /** 1 once the store has the code. */
    created: integer().default(0),
    attempts: integer().default(0),
    /** When the store is asked next; null when it has what it should. */
    due_at: integer().orNull(),
    /** Why the last attempt failed; empty if it did not. */
    error: text().default(''),
  })
    .key('connection_id', 'coupon_id')
    .index('due', ['due_at'], { where: '"due_at" is not null' })
    .index('failed', ['connection_id', 'coupon_id'], { where: "error <> ''" }),
  /** A request for access, which the owner approves in the store; the store then sends its credentials. */
  store_approvals: table({
    id: id(),
    kind: text(),
    name: text(),
    url: text(),
    /** Keyed hash of the one-time state in the address that the store calls. */
    state_hash: text().unique(),
    created_at: integer(),
    expires_at: integer(),
    /** The connection that it led to; null until the store has sent its credentials. */
    connection_id: integer().orNull(),
    attempts: integer().default(0),
    /** When the store is called with them; null before they came and after the last call. */
    due_at: integer().orNull(),
    /** JSON object: the steps and warnings of the call that succeeded, or why the new access was not accepted. */
    report: text().default('{}'),
    /** 1 if it may take over a store that is connected already. */
    replaces: integer().default(0),
  }).added({
    /** 1 if it is another store than the one that is connected with the same address. */
    is_another: integer().default(0),
    /** JSON object: the new access of a connection that works on until the store has accepted it; empty otherwise. */
    access: text().default(''),
  }),
};

declare module '../../src/db/tables.ts' {
  interface Tables extends TablesOf<typeof tables> {}
}
