import type Stripe from 'stripe';
import Type, { type Static } from 'typebox';
import type { FailureCode, Gateway, GatewayOutcome, GatewayPayout } from '../extension.ts';
import { stripeKey } from './gateway-settings.ts';
import type { PayoutMethod } from '../method.ts';
import { withDecimals } from './amounts.ts';
import {
  answeredOtherwise,
  boundedFetch,
  codeWord,
  isRefusal,
  NoAnswer,
  outcomeOf,
  TIMEOUT_MS,
} from './exchange.ts';
import { lastOf } from './mask.ts';
import { configOf } from '../../../kernel/declare/config.ts';
import { gatewayConfig } from '../config.ts';

const Details = Type.Object(
  {
    account: Type.String({
      pattern: '^acct_[A-Za-z0-9]{8,64}$',
      description: 'The connected account: acct_…',
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
 * Stripe Connect transfers: money moves at once, from the site's balance to a connected account.
 *
 * @internal Exported for its test.
 */
export function stripeGateway(access: StripeAccess): Gateway {
  const { clock = Date.now } = access;
  return {
    method_type: stripe.type,
    label: stripe.label,
    pay: (payout) =>
      talk(access, async (client) => {
        const isForgotten = clock() - Date.parse(payout.begun_at) > KEYS_LAST_MS;
        if (!payout.repeated || !isForgotten) return pay(client, payout);
        const earlier = await find(client, payout);
        if (earlier.status === 'absent') throw new NoAnswer(FORGOTTEN);
        return earlier;
      }),
    ask: (payout) =>
      talk(access, async (client) => {
        if (payout.transaction_id === '') return find(client, payout);
        return told(await client.transfers.retrieve(payout.transaction_id));
      }),
  };
}

/** Stripe keeps idempotency keys for a day at least; half of that is on the safe side. */
const KEYS_LAST_MS = 12 * 3_600_000;
const FORGOTTEN = 'the attempt is too long ago to be repeated safely, look it up there';

async function pay(client: Stripe, payout: GatewayPayout): Promise<GatewayOutcome> {
  const amount = stripeAmount(payout);
  if (amount === undefined) {
    const reason = `Stripe cannot pay this amount of ${payout.currency}: it is too fine.`;
    return { status: 'failed', reason, code: 'amount_not_payable' };
  }
  const { account } = payout.details as Static<typeof Details>;
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
    return told(transfer);
  } catch (error) {
    return refused(error);
  }
}

/** Looks for the transfer by what is kept for ever, the group that only this payout has. */
async function find(client: Stripe, payout: GatewayPayout): Promise<GatewayOutcome> {
  const list = await client.transfers.list({ transfer_group: groupOf(payout), limit: 1 });
  const { data, has_more } = list;
  if (!Array.isArray(data) || (data.length === 0 && has_more)) {
    throw new NoAnswer('it answered something else than a list');
  }
  return data[0] ? told(data[0]) : { status: 'absent' };
}

function groupOf(payout: GatewayPayout): string {
  return `tributary-${payout.idempotency_key}`;
}

function told(transfer: Stripe.Transfer): GatewayOutcome {
  if (transfer.object !== 'transfer' || typeof transfer.id !== 'string') {
    throw new NoAnswer('it answered something else than a transfer');
  }
  const transaction_id = transfer.id;
  if (!transfer.reversed) return { status: 'paid', transaction_id };
  const reason = 'The Stripe transfer was reversed.';
  return { status: 'failed', reason, code: 'not_paid', transaction_id };
}

const UNKNOWN_ACCOUNT = 'Stripe does not know the account, or it is not connected.';

/** https://docs.stripe.com/error-codes */
const refusals = new Map<string, [FailureCode, string]>([
  ['balance_insufficient', ['balance', 'The Stripe balance does not cover the payout.']],
  ['api_key_expired', ['credentials', 'The Stripe key has expired.']],
  ['platform_api_key_expired', ['credentials', 'The Stripe key has expired.']],
  ['secret_key_required', ['credentials', 'The Stripe key is not a secret key.']],
  ['livemode_mismatch', ['credentials', 'The Stripe key is of the wrong mode, test or live.']],
  ['platform_account_required', ['not_permitted', 'Only a Stripe platform account can pay.']],
  ['transfers_not_allowed', ['account_limited', 'Stripe does not allow your account transfers.']],
  [
    'insufficient_capabilities_for_transfer',
    ['account_not_ready', 'The Stripe account cannot receive transfers yet.'],
  ],
  ['account_invalid', ['account_unknown', UNKNOWN_ACCOUNT]],
  ['resource_missing', ['account_unknown', UNKNOWN_ACCOUNT]],
  ['account_closed', ['account_closed', 'The Stripe account is closed.']],
  ['amount_too_small', ['amount_not_payable', 'Stripe does not transfer so small an amount.']],
  ['amount_too_large', ['amount_not_payable', 'Stripe does not transfer so large an amount.']],
]);

const statusRefusals = new Map<number, [FailureCode, string]>([
  [401, ['credentials', 'Stripe refused the key.']],
  [403, ['not_permitted', 'The Stripe key may not make transfers.']],
]);

/** Stripe's own sentences are not repeated: they quote the key and the destination. */
function refused(error: unknown): GatewayOutcome {
  const { type, code, statusCode = 0 } = error as Partial<Stripe.errors.StripeError>;
  // An idempotency error: the key was used with another content, and that attempt may have paid.
  if (!isRefusal(statusCode) || type === 'StripeIdempotencyError') throw error;
  const [failure, reason] = refusals.get(code ?? '') ??
    statusRefusals.get(statusCode) ?? ['refused', `Stripe refused the transfer${codeWord(code)}.`];
  return { status: 'failed', reason, code: failure };
}

/** Stripe's decimals, where they are not two. https://docs.stripe.com/currencies */
const decimalsOf = new Map<string, number>([
  ...'BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'
    .split(' ')
    .map((code): [string, number] => [code, 0]),
  ...'BHD JOD KWD OMR TND'.split(' ').map((code): [string, number] => [code, 3]),
]);

function stripeAmount({ amount_minor, currency }: GatewayPayout): number | undefined {
  const decimals = decimalsOf.get(currency) ?? 2;
  const amount = withDecimals(amount_minor, currency, decimals);
  // Of three decimals the last must be a zero.
  return amount === undefined || (decimals === 3 && amount % 10 !== 0) ? undefined : amount;
}

async function talk(
  access: StripeAccess,
  exchange: (client: Stripe) => Promise<GatewayOutcome>,
): Promise<GatewayOutcome> {
  return outcomeOf('Stripe', async () => {
    try {
      return await exchange(await openClient(access));
    } catch (error) {
      const { statusCode, detail } = error as Partial<Stripe.errors.StripeError>;
      if (statusCode !== undefined) throw answeredOtherwise(statusCode);
      // What the SDK wraps tells more: that it took too long, or was too large.
      throw (detail as unknown) instanceof Error ? detail : error;
    }
  });
}

/** A client for one exchange, whose requests together have so much time. */
async function openClient({ key, url, timeoutMs = TIMEOUT_MS }: StripeAccess): Promise<Stripe> {
  // Loaded when it is needed: most commands and many sites never do.
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
