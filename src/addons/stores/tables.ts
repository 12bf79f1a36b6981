import type { Generated } from 'kysely';

export const connectionStates = ['connected', 'receiving', 'degraded', 'failed', 'paused'] as const;
export type ConnectionState = (typeof connectionStates)[number];

export const deliveryStates = ['received', 'done', 'ignored', 'failed'] as const;
export type DeliveryState = (typeof deliveryStates)[number];

export const syncTasks = ['reconcile', 'import', 'remap'] as const;
export type SyncTask = (typeof syncTasks)[number];

/** A connected store. A deleted one stays, because its orders keep their numbers. */
export interface StoreConnectionsTable {
  id: Generated<number>;
  kind: string;
  name: string;
  /** The store's base address; empty for a kind without one. */
  url: string;
  /** What tells the store apart from others of its kind, also after the connection is deleted: its host with its folder. Null: not its address. */
  host: string | null;
  /** The store's own id of its account, where the kind has one and the credentials can read it. */
  account: string | null;
  state: ConnectionState | 'deleted';
  /** A sentence about the state; empty while everything works. */
  reason: Generated<string>;
  /** Since when it does not work. */
  failing_since: number | null;
  /** The `failing_since` that the administrators were mailed about. */
  reported_since: number | null;
  /** The secret that signs deliveries, encrypted; empty if there is none. */
  secret: string;
  /** The secret before that, which is accepted until `previous_until`. */
  previous_secret: Generated<string>;
  previous_until: number | null;
  /** JSON object, encrypted; empty without credentials. */
  credentials: Generated<string>;
  /** JSON object: what one unit of a currency is worth in the currency of the site. */
  exchange_rates: Generated<string>;
  /** The settings that its orders were mapped with, as JSON; empty for the default ones. */
  mapped_by: Generated<string>;
  /** JSON object: the discount of codes that are created in the store; empty if none are. */
  coupon_discount: Generated<string>;
  /** 1 or 0; null while unknown. */
  webhooks_active: number | null;
  /** JSON array of sentences: what the store does not show or allow, and what follows from it. */
  limits: Generated<string>;
  last_delivery_at: number | null;
  last_order_at: number | null;
  /** Orders that reconciling found and no delivery had brought. */
  missed_found: Generated<number>;
  /** Deliveries with a wrong signature. */
  rejected: Generated<number>;
  rejected_at: number | null;
  rejected_reason: Generated<string>;
  created_at: number;
}

/** What stores have sent: the inbox. */
export interface StoreDeliveriesTable {
  id: Generated<number>;
  connection_id: number;
  topic: string;
  external_id: string | null;
  /** Unique for the connection: a repeated delivery is kept once. */
  dedupe_key: string;
  /** JSON object of the headers that the connector names. */
  headers: string;
  /** The body as text, or in base64 where it is not valid UTF-8 or contains NUL. */
  body: string;
  is_base64: number;
  state: DeliveryState;
  /** Why it failed or was ignored, or why it waits; empty otherwise. */
  reason: Generated<string>;
  attempts: Generated<number>;
  /** When it is processed next; while it is, the end of the lease; null when it is settled. */
  due_at: number | null;
  /** Our number of the order that it is about. */
  order_id: number | null;
  received_at: number;
}

/** The ids of a store's orders, one to one with our numbers, for ever. */
export interface StoreOrdersTable {
  connection_id: number;
  external_id: string;
  order_id: number;
  /**
   * When the stored version was seen: sent by the store, or read there. Of two versions of the same second the one that
   * was seen later counts. Null before the first one is stored.
   */
  observed_at: number | null;
  /** When the store is asked about the order again, because it or a refund of it may be deleted; null if not. */
  reread_at: number | null;
  /**
   * When the store was first asked without effect since it was last seen there: it answered that it has no such order,
   * which decides nothing by itself. Null if it shows the order.
   */
  unseen_at: number | null;
}

/** Reading orders from a store: what has changed since, the history, or what is known, to map it again. */
export interface StoreSyncsTable {
  connection_id: number;
  task: SyncTask;
  /** Orders that changed at or after this instant are read. */
  since_at: number;
  /** The page to read next; null for the first. */
  page: string | null;
  /** When reading began; null between two runs. The next run starts there, with an overlap. */
  begun_at: number | null;
  /** When the next page is due; while it is read, the end of the lease; null if nothing is to be done. */
  due_at: number | null;
  /** The lease of the process that reads; empty if none does. */
  lease: Generated<string>;
  /** Failed attempts in a row. */
  failures: Generated<number>;
  /** Orders read in this run. */
  done: Generated<number>;
  /** Orders that were new or changed in this run. */
  changed: Generated<number>;
  /** All orders of this run, if the store says so. */
  total: number | null;
  /** 1 from the start of a server until the run that follows is complete: deliveries may have been missed. */
  catching_up: Generated<number>;
  finished_at: number | null;
}

/** Codes that are created in a store. */
export interface StoreCouponsTable {
  connection_id: number;
  coupon_id: number;
  code: string;
  /** 1 if the code is to work in the store. */
  active: number;
  /** 1 once the store has the code. */
  created: Generated<number>;
  attempts: Generated<number>;
  /** When the store is asked next; null when it has what it should. */
  due_at: number | null;
  /** Why the last attempt failed; empty if it did not. */
  error: Generated<string>;
}

/** A request for access, which the owner approves in the store; the store then sends its credentials. */
export interface StoreApprovalsTable {
  id: Generated<number>;
  kind: string;
  name: string;
  url: string;
  /** Keyed hash of the one-time state in the address that the store calls. */
  state_hash: string;
  created_at: number;
  expires_at: number;
  /** The connection that it led to; null until the store has sent its credentials. */
  connection_id: number | null;
  /** 1 if it may take over a store that is connected already. */
  replaces: Generated<number>;
  /** 1 if it is another store than the one that is connected with the same address. */
  is_another: Generated<number>;
  /** JSON object: the new access of a connection that works on until the store has accepted it; empty otherwise. */
  access: Generated<string>;
  attempts: Generated<number>;
  /** When the store is called with them; null before they came and after the last call. */
  due_at: number | null;
  /** JSON object: the steps and warnings of the call that succeeded, or why the new access was not accepted. */
  report: Generated<string>;
}

declare module '../../db/tables.ts' {
  interface Tables {
    store_connections: StoreConnectionsTable;
    store_deliveries: StoreDeliveriesTable;
    store_orders: StoreOrdersTable;
    store_syncs: StoreSyncsTable;
    store_coupons: StoreCouponsTable;
    store_approvals: StoreApprovalsTable;
  }
}
