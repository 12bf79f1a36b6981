import { isFunction, type Extension, type ExtensionHook } from '../../kernel/declare/extension.ts';
import type { Site } from '../../kernel/declare/site.ts';

declare module '../../kernel/declare/extension.ts' {
  interface Extension {
    /** Returns a sentence that refuses the payout, or nothing to allow it. */
    refusePayout?(request: PayoutRequest): string | undefined | Promise<string | undefined>;
    gateways?: Gateway[];
  }
}

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

export const payoutHooks: readonly ExtensionHook[] = [
  { name: 'refusePayout', expected: 'be a function', isValid: isFunction },
  {
    name: 'gateways',
    expected: 'be a list of objects with method_type, label, pay and ask',
    isValid: isListOfGateways,
  },
];

function isListOfGateways(gateways: unknown): boolean {
  return (
    Array.isArray(gateways) &&
    (gateways as Partial<Gateway>[]).every(
      (gateway) =>
        typeof gateway?.method_type === 'string' &&
        typeof gateway.label === 'string' &&
        isFunction(gateway.pay) &&
        isFunction(gateway.ask),
    )
  );
}

type WithExtensions = Pick<Site, 'extensions' | 'log'>;

/** The gateways of all extensions, in the order of the extensions. */
export function extensionGateways({ extensions }: Pick<Site, 'extensions'>): Gateway[] {
  return extensions.all.flatMap(({ gateways }) => gateways ?? []);
}

export function canRefusePayouts({ extensions }: Pick<Site, 'extensions'>): boolean {
  return extensions.all.some(({ refusePayout }) => refusePayout);
}

/** The first refusal of an extension. An extension that throws refuses, too: no money moves unchecked. */
export async function extensionRefusal(
  { extensions, log }: WithExtensions,
  request: PayoutRequest,
): Promise<string | undefined> {
  for (const extension of extensions.all) {
    const refusal = await refusalBy(extension, request, log);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}

async function refusalBy(
  extension: Extension,
  request: PayoutRequest,
  log: Site['log'],
): Promise<string | undefined> {
  try {
    const refusal = await extension.refusePayout?.(request);
    return typeof refusal === 'string' ? refusal : undefined;
  } catch (error) {
    log.error({ err: error, extension: extension.name }, 'refusePayout failed');
    return `The extension ${extension.name} could not check the payout.`;
  }
}
