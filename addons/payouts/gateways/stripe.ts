import type Stripe from 'stripe';
import Type from 'typebox';
import { configOf } from '../../../src/kernel/declare/config.ts';
import { stripeDecimals } from '../../../src/shared/stripe-decimals.ts';
import { gatewayConfig } from '../config.ts';
import type { FailureCode, Gateway, GatewayOutcome, GatewayPayout } from '../extension.ts';
import { withDecimals } from './amounts.ts';
import {
  unexpectedStatus,
  boundedFetch,
  shownCode,
  isRefusal,
  NoAnswer,
  outcomeOf,
  TIMEOUT_MS,
} from './gateway-http.ts';
import { stripeKey } from './gateway-settings.ts';
import { detailsOf, lastOf, type PayoutMethod } from './method.ts';

const Details = Type.Object(
  {
    account: Type.String({
      pattern: '^acct_[A-Za-z0-9]{8,64}$',
      description: 'The ID of the connected account: acct_…',
    }),
  },
  { additionalProperties: false },
);

export const stripe: PayoutMethod = {
  type: 'stripe',
  label: 'Stripe',
  details: Details,
  mask: ({ account }) => `acct_${lastOf(String(account))}`,
  gateway(site) {
    const key = site.settings.get(stripeKey);
    if (key === '') return undefined;
    return stripeGateway({ key, url: configOf(site, gatewayConfig).stripeUrl, clock: site.clock });
  },
};

export interface StripeAccess {
  key: string;
  url: string;
  timeoutMs?: number;
  clock?: () => number;
}

/**
 * Stripe Connect transfers, which move money from the store's balance to a connected account immediately.
 *
 * @internal Exported for its test.
 */
export function stripeGateway(access: StripeAccess): Gateway {
  const { clock = Date.now } = access;
  return {
    method_type: stripe.type,
    label: stripe.label,
    pay: (payout) =>
      withClient(access, async (client) => {
        const isForgotten = clock() - Date.parse(payout.begun_at) > KEYS_LAST_MS;
        if (!payout.repeated || !isForgotten) return pay(client, payout);
        const earlier = await find(client, payout);
        if (earlier.status === 'absent') throw new NoAnswer(FORGOTTEN);
        return earlier;
      }),
    ask: (payout) =>
      withClient(access, async (client) => {
        if (payout.transaction_id === '') return find(client, payout);
        return outcomeOfTransfer(await client.transfers.retrieve(payout.transaction_id));
      }),
  };
}

/** Stripe stores idempotency keys for at least a day. We trust them for half of that. */
const KEYS_LAST_MS = 12 * 3_600_000;
const FORGOTTEN = 'the attempt is too old to be repeated safely; look it up there';

async function pay(client: Stripe, payout: GatewayPayout): Promise<GatewayOutcome> {
  const amount = stripeAmount(payout);
  if (amount === undefined) {
    const reason = `Stripe cannot pay this amount: it has too many decimals for ${payout.currency}.`;
    return { status: 'failed', reason, code: 'amount_not_payable' };
  }
  const { account } = detailsOf(Details, payout.details);
  try {
    const transfer = await client.transfers.create(
      {
        amount,
        currency: payout.currency.toLowerCase(),
        destination: account,
        transfer_group: groupOf(payout),
        metadata: { payout_id: String(payout.payout_id) },
      },
      { idempotencyKey: payout.idempotency_key },
    );
    return outcomeOfTransfer(transfer);
  } catch (error) {
    return refused(error);
  }
}

/** Finds the transfer by its group, which Stripe stores forever and which only this payout has. */
async function find(client: Stripe, payout: GatewayPayout): Promise<GatewayOutcome> {
  const list = await client.transfers.list({ transfer_group: groupOf(payout), limit: 1 });
  const { data, has_more } = list;
  if (!Array.isArray(data) || (data.length === 0 && has_more)) {
    throw new NoAnswer('it did not return a list');
  }
  return data[0] ? outcomeOfTransfer(data[0]) : { status: 'absent' };
}

function groupOf(payout: GatewayPayout): string {
  return `tributary-${payout.idempotency_key}`;
}

function outcomeOfTransfer(transfer: Stripe.Transfer): GatewayOutcome {
  if (transfer.object !== 'transfer' || typeof transfer.id !== 'string') {
    throw new NoAnswer('it did not return a transfer');
  }
  const transaction_id = transfer.id;
  if (!transfer.reversed) return { status: 'paid', transaction_id };
  const reason = 'The Stripe transfer was reversed.';
  return { status: 'failed', reason, code: 'not_paid', transaction_id };
}

const UNKNOWN_ACCOUNT = 'The Stripe account does not exist or is not connected.';

/** https://docs.stripe.com/error-codes */
const refusals = new Map<string, [FailureCode, string]>([
  ['balance_insufficient', ['balance', 'The Stripe balance does not cover the payout.']],
  ['api_key_expired', ['credentials', 'The Stripe key has expired.']],
  ['platform_api_key_expired', ['credentials', 'The Stripe key has expired.']],
  ['secret_key_required', ['credentials', 'The Stripe key is not a secret key.']],
  ['livemode_mismatch', ['credentials', 'The Stripe key has the wrong mode (test or live).']],
  [
    'platform_account_required',
    ['not_permitted', 'Only a Stripe platform account can make transfers.'],
  ],
  [
    'transfers_not_allowed',
    ['account_limited', 'Stripe does not allow your account to make transfers.'],
  ],
  [
    'insufficient_capabilities_for_transfer',
    ['account_not_ready', 'The Stripe account cannot receive transfers yet.'],
  ],
  ['account_invalid', ['account_unknown', UNKNOWN_ACCOUNT]],
  ['resource_missing', ['account_unknown', UNKNOWN_ACCOUNT]],
  ['account_closed', ['account_closed', 'The Stripe account is closed.']],
  [
    'amount_too_small',
    ['amount_not_payable', 'The amount is below the minimum of Stripe transfers.'],
  ],
  [
    'amount_too_large',
    ['amount_not_payable', 'The amount is above the maximum of Stripe transfers.'],
  ],
]);

const statusRefusals = new Map<number, [FailureCode, string]>([
  [401, ['credentials', 'Stripe rejected the key.']],
  [403, ['not_permitted', 'The Stripe key may not make transfers.']],
]);

/** Refusals by the state of an account, which Stripe reads only after it has looked up the idempotency key. */
const EXECUTED = new Set([
  'balance_insufficient',
  'transfers_not_allowed',
  'insufficient_capabilities_for_transfer',
]);

/**
 * Own texts, because Stripe's messages quote the key and the destination.
 *
 * Stripe stores the first answer under an idempotency key and repeats it for a day. A transfer that an earlier attempt
 * made would be that answer. A refusal that is the stored answer, or becomes it, is therefore conclusive. A refusal from
 * before the execution, such as 401, is not stored and says nothing about an earlier attempt.
 */
function refused(error: unknown): GatewayOutcome {
  const { type, code, statusCode = 0, headers } = asStripeError(error);
  // The idempotency key was used with other parameters, and that attempt may have paid.
  if (!isRefusal(statusCode) || type === 'StripeIdempotencyError') throw error;
  const [failure, reason] = refusals.get(code ?? '') ??
    statusRefusals.get(statusCode) ?? ['refused', `Stripe refused the transfer${shownCode(code)}.`];
  const conclusive = headers?.['idempotent-replayed'] === 'true' || EXECUTED.has(code ?? '');
  return { status: 'failed', reason, code: failure, conclusive };
}

function stripeAmount({ amount_minor, currency }: GatewayPayout): number | undefined {
  const decimals = stripeDecimals(currency);
  const amount = withDecimals(amount_minor, currency, decimals);
  // Stripe requires the last of three decimals to be zero.
  return amount === undefined || (decimals === 3 && amount % 10 !== 0) ? undefined : amount;
}

/** The fields of the SDK's errors. Its error class cannot be used, because the SDK is imported lazily. */
function asStripeError(error: unknown): Partial<Stripe.errors.StripeError> {
  return error instanceof Error ? error : {};
}

async function withClient(
  access: StripeAccess,
  call: (client: Stripe) => Promise<GatewayOutcome>,
): Promise<GatewayOutcome> {
  return outcomeOf('Stripe', async () => {
    try {
      return await call(await openClient(access));
    } catch (error) {
      const { statusCode, detail } = asStripeError(error);
      if (statusCode !== undefined) throw unexpectedStatus(statusCode);
      // The SDK wraps the error that says more, such as a timeout or a body that is too large.
      throw (detail as unknown) instanceof Error ? detail : error;
    }
  });
}

/** A client for one call, whose requests share one timeout. */
async function openClient({ key, url, timeoutMs = TIMEOUT_MS }: StripeAccess): Promise<Stripe> {
  // Imported lazily, because most commands and many sites never use Stripe.
  const { default: StripeClient } = await import('stripe');
  const { hostname, port, protocol } = new URL(url);
  const secure = protocol === 'https:';
  const signal = AbortSignal.timeout(timeoutMs);
  return new StripeClient(key, {
    host: hostname,
    port: port || (secure ? 443 : 80),
    protocol: secure ? 'https' : 'http',
    timeout: timeoutMs,
    maxNetworkRetries: 0,
    telemetry: false,
    httpClient: StripeClient.createFetchHttpClient((address, init) =>
      boundedFetch(address, { ...init, signal }),
    ),
  });
}
