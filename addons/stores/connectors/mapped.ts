import type { OrderInput } from '../../../src/modules/orders/index.ts';

export interface MappingContext {
  /** Whether the connection has credentials, so that `ask` is possible. */
  readonly canAsk: boolean;
  /** Whether the payload comes from `fetchOrder`: there is nothing more to fetch. */
  readonly isComplete: boolean;
  /** Names of address parameters with a referral code, the first that is present counts. */
  readonly codeParameters: readonly string[];
  /** Values of the kind's own settings, by name. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** The currency of the program, for stores that tell what an amount in another one was worth. */
  readonly currency: string;
}

/** An order as `PUT /orders/{order_id}` takes it. The add-on assigns `order_id`. */
export type StoreOrder = Omit<OrderInput, 'order_id'> & {
  /** The store's own id, one to one with ours for ever. */
  external_id: string;
  /** With an offset or Z. Older versions than the stored one change nothing. */
  date_modified: string;
};

export interface MappedOrder {
  readonly result: 'order';
  readonly order: StoreOrder;
  /** The store's id of the order that began the subscription, where that order does not name it. */
  readonly firstOrder?: string;
  /** Fields that the store should have shown and did not: those of the stored version stay. */
  readonly notShown?: readonly Exclude<keyof StoreOrder, 'customer' | 'visitor'>[];
}

export type Mapped =
  | MappedOrder
  /** Not an order that counts, and never will be by this delivery. The reason is a sentence for the owner. */
  | { readonly result: 'ignored'; readonly reason: string }
  /** The payload says that the store has deleted the order: it no longer earns. */
  | { readonly result: 'gone'; readonly externalId: string; readonly reason: string }
  /** The payload is not enough: the add-on calls `fetchOrder` and maps its answer. */
  | { readonly result: 'ask'; readonly externalId: string; readonly reason: string }
  /**
   * The store orders the deletion of personal data: the payloads in the inbox of these orders, or of all, are
   * emptied, and this one with them.
   */
  | {
      readonly result: 'redact';
      readonly externalIds: readonly string[] | 'all';
      readonly reason: string;
    }
  /** The payload cannot be understood. It is kept, and the reason shown. */
  | { readonly result: 'failed'; readonly reason: string };

/** The fields of a stored order. Of its customer and visitor only hashes are stored. */
export type KnownOrder = Omit<StoreOrder, 'customer' | 'visitor'>;

export type OrderChange = Pick<StoreOrder, 'refunds'> & Partial<Pick<StoreOrder, 'status'>>;
