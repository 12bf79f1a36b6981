import type { FeedEvent } from './feed-event.ts';
import type { Log } from './log.ts';

/** A payout about to be requested, as a site's own rule sees it. */
export interface PayoutRequest {
  coupon_id: number;
  user_id: number;
  amount: number;
  currency: string;
  method_type: string;
}

/** A way to pay that can be called: the built-in ones and those a site adds. */
export interface Gateway {
  method_type: string;
  label: string;
  /**
   * Requests that a payment needs and that cannot move money, such as a sign-in or a quote. A refusal
   * here fails the payout, unless it is on the store's side or an earlier attempt may have been
   * accepted. `pay` gets what is ready.
   */
  prepare?(payout: GatewayPayout): Promise<GatewayPreparation>;
  /**
   * Pays. From the moment this is called the payment counts as possibly accepted. A throw, like
   * `unknown`, leaves it so: the outcome is asked for later. `failed` fails the payout at its first
   * attempt only, or when it names the payment by its transaction_id: a refusal of a repeated attempt
   * says nothing about the attempt before it. A refusal of the first attempt that is on the store's side
   * (its code is one of `storeFailures`) leaves the payout open; the next attempt has a new key.
   */
  pay(payout: GatewayPayout, prepared?: unknown): Promise<GatewayOutcome>;
  /** What has become of a payment that was begun, or whether it was begun at all. Never pays. */
  ask(payout: GatewayPayout): Promise<GatewayOutcome>;
}

export interface GatewayPayout {
  payout_id: number;
  amount: number;
  /** The same amount as an integer of the currency's smallest unit. */
  amount_minor: number;
  currency: string;
  details: Record<string, unknown>;
  /**
   * A gateway must never pay one key twice. Every attempt whose predecessor may have been accepted has
   * the same key.
   */
  idempotency_key: string;
  /** What the gateway called the payment when it was begun; empty while nobody knows. */
  transaction_id: string;
  /** No later than the first attempt under this key, an ISO instant: what gateways know fades. */
  begun_at: string;
  /** Whether an earlier attempt may have reached the gateway without anybody knowing its outcome. */
  repeated: boolean;
}

/**
 * What keeps a payment from being made on the store's side. The affiliate is never shown these: the
 * payout stays open and is attempted again, and the administrators are notified.
 */
export const storeFailures = [
  /** The gateway does not accept the key, or the key has expired. */
  'credentials',
  /** The key is right, but may not make payouts. */
  'not_permitted',
  'balance',
  /** The store's own account at the gateway is locked, limited or not verified. */
  'account_limited',
  'rate_limited',
  'unreachable',
  /** The credentials are no longer configured. */
  'not_set_up',
] as const;

/** Why a payment was refused for good. The affiliate is told what to do next. */
export const finalFailures = [
  'account_unknown',
  'account_closed',
  'account_not_ready',
  /** The account cannot receive this currency, or payments from this country. */
  'not_supported',
  'receiver_limit',
  'amount_not_payable',
  'returned',
  'suspended',
  /** Any other refusal. */
  'refused',
  /** Nothing that the affiliate did: a transfer taken back by the store, or a decision by hand. */
  'not_paid',
] as const;

export type StoreFailure = (typeof storeFailures)[number];
export type FailureCode = StoreFailure | (typeof finalFailures)[number];

export type GatewayPreparation =
  | { status: 'ready'; prepared?: unknown }
  | { status: 'failed'; reason: string; code?: FailureCode }
  | { status: 'unknown'; reason?: string; code?: StoreFailure };

export type GatewayOutcome =
  | { status: 'paid' | 'created'; transaction_id: string; notice?: string }
  /**
   * The reason is for administrators. The code decides what the affiliate is shown (`refused` where
   * there is none), and whether the payout fails: with a code of the store's side it is attempted again.
   * With a transaction_id: the gateway has that payment, and it did not arrive or came back.
   */
  | { status: 'failed'; reason: string; code?: FailureCode; transaction_id?: string }
  /** The gateway has no such payment and never will unless asked to pay again with the same key. */
  | { status: 'absent' }
  /**
   * Nobody can tell now. The reason is for administrators and the log: it names no person and no
   * destination. Without a code the gateway counts as unreachable.
   */
  | { status: 'unknown'; reason?: string; code?: StoreFailure };

/**
 * What a site may add without touching the source. A module file (TRIBUTARY_EXTENSIONS) exports
 * one such object as its default export.
 */
export interface Extension {
  name: string;
  /**
   * Changes the OpenAPI document; returns the document to answer. Called once after the start and
   * again whenever settings change, not with every request: the result must follow from these.
   */
  amendOpenApi?(document: Record<string, unknown>): Record<string, unknown>;
  /** Returns a sentence to refuse a payout, nothing to let it pass. */
  refusePayout?(request: PayoutRequest): string | undefined | Promise<string | undefined>;
  gateways?: Gateway[];
  /** Called for every event, in order, at least once, after its change is committed. */
  onEvent?(event: FeedEvent): void | Promise<void>;
}

/** The loaded extensions, asked together. */
export class Extensions {
  readonly all: readonly Extension[];
  readonly #log: Log;

  constructor(all: readonly Extension[], log: Log) {
    this.all = all;
    this.#log = log;
  }

  get amendOpenApi(): ((document: Record<string, unknown>) => Record<string, unknown>) | undefined {
    const amending = this.all.filter((extension) => extension.amendOpenApi);
    if (amending.length === 0) return undefined;
    return (document) =>
      amending.reduce((amended, extension) => this.#amend(extension, amended), document);
  }

  /** The first refusal, if any extension refuses. One that fails refuses too: money waits. */
  async refusalOf(request: PayoutRequest): Promise<string | undefined> {
    for (const extension of this.all) {
      try {
        const refusal = await extension.refusePayout?.(request);
        if (typeof refusal === 'string') return refusal;
      } catch (error) {
        this.#log.error({ err: error, extension: extension.name }, 'refusePayout failed');
        return `The extension ${extension.name} could not check the payout.`;
      }
    }
    return undefined;
  }

  gateways(): Gateway[] {
    return this.all.flatMap((extension) => extension.gateways ?? []);
  }

  listeners(): Extension[] {
    return this.all.filter((extension) => extension.onEvent);
  }

  #amend(extension: Extension, document: Record<string, unknown>): Record<string, unknown> {
    try {
      const amended: unknown = extension.amendOpenApi!(structuredClone(document));
      if (typeof amended === 'object' && amended !== null && !('then' in amended)) {
        return amended as Record<string, unknown>;
      }
      throw new Error('it returned no OpenAPI document');
    } catch (error) {
      this.#log.error({ err: error, extension: extension.name }, 'amendOpenApi failed');
      return document;
    }
  }
}
