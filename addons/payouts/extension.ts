import {
  isFunction,
  type Extension,
  type ExtensionHook,
} from '../../src/kernel/declare/extension.ts';
import type { Site } from '../../src/kernel/declare/site.ts';

declare module '../../src/kernel/declare/extension.ts' {
  interface Extension {
    /** Returns a message to refuse the payout, or nothing to allow it. */
    refusePayout?(request: PayoutRequest): string | undefined | Promise<string | undefined>;
    gateways?: Gateway[];
  }
}

/** The payout that an extension may refuse. */
export interface PayoutRequest {
  coupon_id: number;
  user_id: number;
  amount: number;
  currency: string;
  method_type: string;
}

/** A payment service that the add-on calls: a built-in one or one of an extension. */
export interface Gateway {
  method_type: string;
  label: string;
  /**
   * Makes the requests before a payment that cannot move money, such as a sign-in or a quote. A refusal fails the
   * payout, unless its reason is on the store's side or an earlier attempt may have been accepted. `pay` receives
   * `prepared`.
   */
  prepare?(payout: GatewayPayout): Promise<GatewayPreparation>;
  /**
   * Pays. As soon as it is called, the payment counts as possibly accepted. An exception or `unknown` leaves it so, and
   * `ask` is called later. `failed` fails the payout only at its first attempt, or if it names the payment by its
   * transaction_id, or if it is `conclusive`: any other refusal of a repeated attempt says nothing about the attempt
   * before it, and the next attempt has the same key. A certain refusal for a reason on the store's side (a code in
   * `storeFailures`) leaves the payout open, and the next attempt has a new key.
   */
  pay(payout: GatewayPayout, prepared?: unknown): Promise<GatewayOutcome>;
  /** Returns the outcome of an earlier attempt, or `absent` if there is no payment. Must never pay. */
  ask(payout: GatewayPayout): Promise<GatewayOutcome>;
}

export interface GatewayPayout {
  payout_id: number;
  amount: number;
  /** The same amount in the currency's minor units. */
  amount_minor: number;
  currency: string;
  details: Record<string, unknown>;
  /**
   * A gateway must never pay one key twice. An attempt has the key of the previous one if that may have been
   * accepted.
   */
  idempotency_key: string;
  /** The gateway's id of the payment; empty while it is unknown. */
  transaction_id: string;
  /** An ISO instant before the first attempt under this key: gateways forget keys after a while. */
  begun_at: string;
  /** Whether an earlier attempt under this key may have reached the gateway, with an unknown outcome. */
  repeated: boolean;
}

/**
 * Failures on the store's side. The payout stays open and is attempted again, and the administrators are notified.
 * Affiliates never see these codes.
 */
export const storeFailures = [
  /** The gateway does not accept the key, or the key has expired. */
  'credentials',
  /** The key is valid but may not make payouts. */
  'not_permitted',
  'balance',
  /** The store's own account at the gateway is locked, limited or not verified. */
  'account_limited',
  'rate_limited',
  'unreachable',
  /** The credentials are no longer configured. */
  'not_set_up',
] as const;

/** Final refusals. The affiliate sees what to do next. */
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
  /** Not caused by the affiliate, such as a transfer that the store cancelled. */
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
   * The reason is for administrators. The code, `refused` by default, decides what the affiliate sees and whether the
   * payout fails: with a code in `storeFailures` it is attempted again. A transaction_id means that the gateway has
   * the payment, and that it did not arrive or was returned. `conclusive` means that the gateway has paid nothing under
   * this key and never will: it stores its refusal and repeats it.
   */
  | {
      status: 'failed';
      reason: string;
      code?: FailureCode;
      transaction_id?: string;
      conclusive?: boolean;
    }
  /** The gateway has no such payment and will have none unless `pay` is called again with the same key. */
  | { status: 'absent' }
  /**
   * The outcome is unknown at the moment. The reason is for administrators and the log, so it must not contain personal
   * data or a destination. The default code is `unreachable`.
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
    gateways.every(
      (gateway: Partial<Gateway> | null) =>
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
