import type { NamedGoods } from '../../../src/modules/rewards/index.ts';
import type { KnownOrder, Mapped, MappingContext, OrderChange } from './mapped.ts';

export type * from './mapped.ts';

/**
 * A kind of store: what the add-on needs to know to receive its orders. The add-on knows no kind by name; another
 * kind is one folder with one such manifest, or an extension that brings one in `connectors`.
 *
 * Functions that ask the store throw what `StoreApi.request` throws (`StoreError`); the add-on tries again later.
 */
export interface Connector {
  /** The name in addresses and on the wire, such as `woocommerce`. */
  readonly kind: string;
  /** The name for people. */
  readonly label: string;
  /** Makes the store's base address out of what an owner types, or throws a sentence. Absent: the kind needs none. */
  readonly normalizeUrl?: (typed: string) => string;
  /** All stores of this kind have the same address, so it does not tell them apart. */
  readonly urlIsShared?: true;
  /** What the owner enters, or the store sends, for access to its API. All values are stored encrypted. */
  readonly credentials: readonly CredentialField[];
  /** The names of credentials that give access together, the usual set first. Absent: those that are required. */
  readonly credentialSets?: readonly (readonly string[])[];
  /** Makes the secret that signs deliveries; by default it has letters and digits only. */
  readonly makeSecret?: () => string;
  /** How an owner approves access in the store itself, which then sends the credentials. */
  readonly approval?: Approval;
  /** The store makes the secret, or signs with one of the credentials: none is made here. */
  readonly storeMakesSecret?: true;
  /** Hosts, with their port if they have one, that `StoreApi.request` may call besides the store's own. */
  readonly hosts?: readonly string[];
  /** Settings of the kind, by name, that known orders are mapped with again when they change. */
  readonly remappedBy?: readonly string[];
  /** Headers that are kept with a delivery, in lower case. */
  readonly headersKept: readonly string[];
  /**
   * Adds to the landing page of a referral link what makes the store remember it. Parameters of the link itself
   * must stay as they are.
   */
  readonly completeLink?: (parameters: URLSearchParams, code: string) => void;
  /** What the owner installs in the store, so that it writes the referral link into each order. */
  readonly plugin?: (values: PluginValues) => StorePlugin;

  /** Checks a delivery by its raw bytes, without asking anyone. Compares signatures in constant time. */
  verify(delivery: RawDelivery, connection: Verification): Verdict;
  /**
   * When the store made a delivery, by the headers that are kept with it. A store that sends a delivery again after
   * hours, with the content of that time, has it; without it the time of receipt counts.
   */
  sentAt?(headers: RawDelivery['headers']): number | undefined;
  /** Pure: maps a payload, from a delivery or from `changedSince`, to an order. */
  toOrder(payload: unknown, context: MappingContext, topic: string): Mapped;
  /** The store's id in a payload of `changedSince` that `toOrder` may not understand, to find it among deliveries. */
  externalIdIn?(payload: unknown): string | undefined;
  /** Makes a signed delivery of an order with a coupon, as this store would send it, for the test order. */
  exampleDelivery(
    connection: Verification,
    order: { code: string; total: number; currency: string },
  ): RawDelivery;

  /** The functions below need credentials; a kind without an API has none of them. */

  /**
   * The store's own id of its account, so that the same store is not connected twice; undefined if the credentials
   * cannot read it. Called before `connect`.
   */
  accountOf?(store: StoreApi): Promise<string | undefined>;
  /** Checks the credentials by a real call and creates the webhooks that are missing. */
  connect?(store: StoreApi): Promise<ConnectReport>;
  /** Whether the store answers and its webhooks are active; activates those that the store disabled. */
  check?(store: StoreApi): Promise<CheckReport>;
  /** Removes the webhooks that `connect` created. */
  disconnect?(store: StoreApi): Promise<void>;
  /**
   * The payload of one order with everything that `toOrder` needs; undefined only if the store says that it has no such
   * order, which decides nothing by itself: see `orders/absence.ts`.
   */
  fetchOrder?(store: StoreApi, externalId: string): Promise<unknown>;
  /** How the store hides orders that it has, if it does. */
  readonly hides?: HiddenOrders;
  /**
   * Pure: how a delivery that is not a whole order, such as a refund, changes a stored order that the store does not
   * show. Undefined if it does not, or the stored order has it already.
   */
  changeIn?(payload: unknown, topic: string, known: KnownOrder): OrderChange | undefined;
  /**
   * Which of up to 100 orders the store does not list, for a store that tells nothing about deleted orders. Each of
   * them is then fetched, so one that is only hidden does no harm.
   */
  missingAmong?(store: StoreApi, externalIds: readonly string[]): Promise<readonly string[]>;
  /** One page of the orders that changed at or after an instant, oldest change first. */
  changedSince?(store: StoreApi, position: Position): Promise<ChangedPage>;
  /**
   * The categories and tags of up to 100 products, by id, for a store whose lines of orders do not have them. A product
   * that the store no longer has is left out.
   */
  productGroups?(
    store: StoreApi,
    productIds: readonly string[],
  ): Promise<ReadonlyMap<string, ProductGroups>>;
  /** Creates a code in the store. One that exists already is left as it is. */
  createCoupon?(store: StoreApi, coupon: StoreCoupon): Promise<void>;
  /** Pauses or resumes a code in the store. */
  changeCoupon?(store: StoreApi, coupon: StoreCoupon & { active: boolean }): Promise<void>;
}

/** Orders that a store has and does not show to this connection. */
export interface HiddenOrders {
  /** Which and why, in a sentence for the owner. */
  readonly reason: string;
  /** Whether the store would show an order that was placed then, if it has it. */
  readonly shows: (store: StoreApi, placedAtMs: number) => Promise<boolean>;
}

/** What rules of rewards can name instead of products: ids, and names by which an owner knows them. */
export interface ProductGroups {
  /** Other ids of the product: those of its translations. */
  readonly otherIds?: readonly string[];
  readonly categories: readonly string[];
  readonly tags: readonly string[];
  /** How people call the product and its groups. */
  readonly names?: readonly NamedGoods[];
}

export interface CredentialField {
  readonly name: string;
  readonly label: string;
  readonly help: string;
  readonly required: boolean;
  /** A regular expression that matches whole values, linear and without lookahead. */
  readonly pattern?: string;
}

export interface Approval {
  /** The page of the store. It sends its credentials to `callbackUrl`, and then the browser to `returnUrl`. */
  url(
    storeUrl: string,
    request: { requestId: number; callbackUrl: string; returnUrl: string },
  ): string;
  /** The credentials in what the store has sent; undefined if there are none. */
  credentialsIn(payload: unknown): Record<string, string> | undefined;
}

/** The settings of links that a plugin in the store needs. */
export interface PluginValues {
  /** Names of address parameters with a referral code, the first that is present counts. */
  readonly codeParameters: readonly string[];
  /** The attribution window. */
  readonly days: number;
}

export interface StorePlugin {
  /** The name of the archive, without an ending. */
  readonly name: string;
  /** The files of the archive: their contents by path. */
  readonly files: Readonly<Record<string, string>>;
}

export interface RawDelivery {
  /** Names in lower case; a repeated header is joined by commas. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

export interface Verification {
  /** The current secret first; the previous one while a new one overlaps with it. */
  readonly secrets: readonly string[];
  readonly credentials: Readonly<Record<string, string>>;
  readonly url: string;
  readonly nowMs: number;
}

export type Verdict =
  | {
      readonly outcome: 'genuine';
      readonly topic: string;
      /** The store's id of the order, if the delivery is about one. */
      readonly externalId: string | null;
      /** The same for a repeated delivery of the same content, different for every other. */
      readonly dedupeKey: string;
    }
  /** Answered 200 and not kept, such as the unsigned ping of a new webhook. */
  | { readonly outcome: 'ping' }
  /** Answered 401 and not kept. The reason is for the owner and holds no secret. */
  | { readonly outcome: 'refused'; readonly reason: string };

/** A connection with credentials, and the way to call its API. */
export interface StoreApi {
  readonly url: string;
  readonly credentials: Readonly<Record<string, string>>;
  readonly receiverUrl: string;
  readonly secret: string;
  readonly nowMs: number;
  /**
   * Calls the API of the store, with limits for time and size and never a private address (unless a setting
   * allows it). Throws `StoreError` if the store is out of reach, refuses the credentials (401, 403), asks to wait
   * (429, 503 with Retry-After), redirects elsewhere (3xx) or fails (5xx). Other statuses are returned.
   */
  request(request: StoreRequest): Promise<StoreResponse>;
}

export interface StoreRequest {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Relative to the store's address, or absolute on the same host or a host that the connector names itself. */
  readonly url: string;
  readonly query?: Readonly<Record<string, string | number | boolean>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  /** Sent form-encoded instead of JSON. */
  readonly form?: Readonly<Record<string, string>>;
}

export interface StoreResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Parsed if it is JSON, else undefined. */
  readonly json: unknown;
  readonly text: string;
}

/** Why a call to a store did not succeed. The message is a sentence for the owner, without secrets. */
export class StoreError extends Error {
  readonly code: 'unreachable' | 'credentials' | 'busy' | 'failed';
  /** When to try again, if the store said so. */
  readonly retryAfterMs: number | undefined;
  /** Of the answer, if the store itself has refused the request, or redirects it within its host. */
  readonly status: number | undefined;

  constructor(code: StoreError['code'], message: string, retryAfterMs?: number, status?: number) {
    super(message);
    this.code = code;
    this.retryAfterMs = retryAfterMs;
    this.status = status;
  }
}

export interface ConnectReport {
  /** What was checked and made, each a sentence, in the order of the steps. */
  readonly steps: readonly string[];
  /** What works only in part, each a sentence that says what follows from it. */
  readonly warnings?: readonly string[];
  readonly webhooksActive: boolean;
  /** The secret that signs deliveries, if the store has made it now. It replaces the stored one. */
  readonly secret?: string;
}

export interface CheckReport {
  readonly webhooksActive: boolean;
  /** What was found and what was repaired, each a sentence. */
  readonly notes: readonly string[];
  /** As those of `connect`; absent if they are not read again. */
  readonly warnings?: readonly string[];
  /** The secret that signs deliveries, if a webhook had to be created again. It replaces the stored one. */
  readonly secret?: string;
}

export interface Position {
  /** An instant in milliseconds. */
  readonly sinceMs: number;
  /** `next` of the page before. */
  readonly page: string | null;
}

export interface ChangedPage {
  readonly payloads: readonly unknown[];
  readonly next: string | null;
  /** Orders in all pages, if the store says so. */
  readonly total?: number;
  /** How many of the payloads were in the page before, too. They are not counted again. */
  readonly repeated?: number;
}

export interface StoreCoupon {
  readonly code: string;
  readonly discount: { readonly type: 'percent' | 'fixed'; readonly amount: number };
  readonly currency: string;
}
