import Type, { type Static } from 'typebox';
import { Compile } from 'typebox/compile';
import { configOf } from '../../../src/kernel/declare/config.ts';
import { EmailAddress } from '../../../src/kernel/declare/schemas.ts';
import { perSite } from '../../../src/kernel/declare/site.ts';
import { Currency } from '../../../src/shared/money.ts';
import { gatewayConfig } from '../config.ts';
import type {
  FailureCode,
  Gateway,
  GatewayOutcome,
  GatewayPayout,
  GatewayPreparation,
} from '../extension.ts';
import { decimalText, withDecimals } from './amounts.ts';
import {
  unexpectedStatus,
  shownCode,
  isRefusal,
  NoAnswer,
  outcomeOf,
  TIMEOUT_MS,
  type GatewayResponse,
} from './gateway-http.ts';
import { paypalClientId, paypalSecret } from './gateway-settings.ts';
import { detailsOf, type PayoutMethod } from './method.ts';
import { CredentialsRefused, PayPalClient, type PayPalCredentials } from './paypal-client.ts';
import { paypalFailures } from './paypal-failures.ts';

const Details = Type.Object(
  {
    email: Type.String({
      ...EmailAddress('The email address of the PayPal account.'),
      maxLength: 127,
    }),
  },
  { additionalProperties: false },
);

/** One per site, because it caches the token. */
const clientOf = perSite((site) => new PayPalClient(site.monotonic));

export const paypal: PayoutMethod = {
  type: 'paypal',
  label: 'PayPal',
  details: Details,
  mask(details) {
    const [name = '', domain = ''] = String(details['email']).split('@');
    return `${name.length > 2 ? name[0] : ''}…@${domain}`;
  },
  gateway(site) {
    const clientId = site.settings.get(paypalClientId);
    const secret = site.settings.get(paypalSecret);
    if (clientId === '' || secret === '') return undefined;
    const credentials = { clientId, secret, url: configOf(site, gatewayConfig).paypalUrl };
    return paypalGateway({ ...credentials, client: clientOf(site), clock: site.clock });
  },
};

export interface PayPalAccess extends PayPalCredentials {
  client: PayPalClient;
  clock?: () => number;
  timeoutMs?: number;
}

type Call = (path: string, body?: object) => Promise<GatewayResponse>;

/**
 * PayPal Payouts, with one batch of one item per payout. Within 30 days PayPal never accepts a batch id twice and
 * names the original batch instead, so an attempt whose answer was lost can be repeated. A PayPal-Request-Id would add
 * nothing but a repeated refusal: with it PayPal answers a later attempt as it did the first, even if the balance was
 * filled since.
 *
 * @internal Exported for its test.
 */
export function paypalGateway(access: PayPalAccess): Gateway {
  const { client, clock = Date.now, timeoutMs = TIMEOUT_MS } = access;
  const isForgotten = (payout: GatewayPayout) =>
    clock() - Date.parse(payout.begun_at) > BATCH_IDS_LAST_MS;
  const begin = (): Call => {
    const signal = AbortSignal.timeout(timeoutMs);
    return (path, body) =>
      client.call(access, { path: `/v1/payments/payouts${path}`, signal, ...(body && { body }) });
  };
  const attempt = <T>(payout: GatewayPayout, work: () => Promise<T>) =>
    outcomeOf('PayPal', async () => {
      if (payout.repeated && isForgotten(payout)) throw new NoAnswer(FORGOTTEN);
      return work();
    });
  return {
    method_type: paypal.type,
    label: paypal.label,
    prepare: (payout) => attempt(payout, () => prepare(access, client, payout, timeoutMs)),
    pay: (payout) => attempt(payout, () => pay(begin(), payout)),
    ask: (payout) =>
      outcomeOf('PayPal', async () => {
        if (payout.transaction_id !== '') return ask(begin(), payout.transaction_id);
        if (isForgotten(payout)) throw new NoAnswer(FORGOTTEN);
        return { status: 'absent' };
      }),
  };
}

/** Less than PayPal's 30 days, to allow for clock skew and delayed calls. */
const BATCH_IDS_LAST_MS = 25 * 86_400_000;
const FORGOTTEN = 'the attempt is too old to be repeated safely; look it up there';

/** Signs in, which moves no money. */
async function prepare(
  credentials: PayPalCredentials,
  client: PayPalClient,
  payout: GatewayPayout,
  timeoutMs: number,
): Promise<GatewayPreparation> {
  if (paypalAmount(payout) === undefined) return tooManyDecimals(payout);
  try {
    await client.signIn(credentials, AbortSignal.timeout(timeoutMs));
    return { status: 'ready' };
  } catch (error) {
    if (error instanceof CredentialsRefused) return credentialsRefused;
    throw error;
  }
}

const credentialsRefused = {
  status: 'failed',
  code: 'credentials',
  reason: 'PayPal rejected the credentials.',
} as const;

function tooManyDecimals({ currency }: GatewayPayout) {
  const reason = `PayPal only pays whole units of ${currency}.`;
  return { status: 'failed', code: 'amount_not_payable', reason } as const;
}

async function pay(call: Call, payout: GatewayPayout): Promise<GatewayOutcome> {
  const value = paypalAmount(payout);
  if (value === undefined) return tooManyDecimals(payout);
  const answer = await sendBatch(call, payout, value);
  if (answer === undefined) return credentialsRefused;
  if (answer.status === 201 && BatchAnswer.Check(answer.body)) return outcomeOfBatch(answer.body);
  if (!isRefusal(answer.status) || !RefusalAnswer.Check(answer.body)) {
    throw unexpectedStatus(answer.status);
  }
  const original = originalOf(answer.body);
  return original ? ask(call, original) : refused(answer.body, answer.status);
}

/** Undefined if PayPal rejects the credentials. */
async function sendBatch(
  call: Call,
  payout: GatewayPayout,
  value: string,
): Promise<GatewayResponse | undefined> {
  try {
    return await call('', batchOf(payout, value));
  } catch (error) {
    if (error instanceof CredentialsRefused) return undefined;
    throw error;
  }
}

async function ask(call: Call, batchId: string): Promise<GatewayOutcome> {
  const { status, body } = await call(`/${encodeURIComponent(batchId)}`);
  if (status === 200 && BatchAnswer.Check(body)) return outcomeOfBatch(body);
  throw unexpectedStatus(status);
}

function batchOf(payout: GatewayPayout, value: string): object {
  const { email } = detailsOf(Details, payout.details);
  return {
    sender_batch_header: {
      sender_batch_id: payout.idempotency_key,
      email_subject: 'You have received a payout',
    },
    items: [
      {
        recipient_type: 'EMAIL',
        receiver: email,
        amount: { value, currency: payout.currency },
        sender_item_id: String(payout.payout_id),
      },
    ],
  };
}

/** Currencies for which PayPal accepts no decimals. https://developer.paypal.com/api/rest/reference/currency-codes/ */
const WITHOUT_DECIMALS = new Set(['HUF', 'JPY', 'TWD']);

function paypalAmount({ amount_minor, currency }: GatewayPayout): string | undefined {
  const decimals = WITHOUT_DECIMALS.has(currency) ? 0 : new Currency(currency).decimals;
  const amount = withDecimals(amount_minor, currency, decimals);
  return amount === undefined ? undefined : decimalText(amount, decimals);
}

const Batch = Type.Object({
  batch_header: Type.Object({
    payout_batch_id: Type.String({ minLength: 1, maxLength: 100 }),
    batch_status: Type.String(),
  }),
  // The response to a new batch has none.
  items: Type.Optional(
    Type.Array(
      Type.Object({
        transaction_status: Type.Optional(Type.String()),
        errors: Type.Optional(Type.Object({ name: Type.Optional(Type.Unknown()) })),
      }),
    ),
  ),
});
const BatchAnswer = Compile(Batch);

const CAME_BACK = new Set(['RETURNED', 'REFUNDED', 'REVERSED']);
const FAILED = new Set('FAILED BLOCKED RETURNED REFUNDED REVERSED DENIED CANCELED'.split(' '));

function outcomeOfBatch({ batch_header, items }: Static<typeof Batch>): GatewayOutcome {
  const item = items?.[0];
  const status = item?.transaction_status ?? '';
  const transaction_id = batch_header.payout_batch_id;
  if (status === 'SUCCESS') return { status: 'paid', transaction_id };
  const failed = [status, batch_header.batch_status].find((word) => FAILED.has(word));
  if (failed === undefined) return { status: 'created', transaction_id };
  const name = item?.errors?.name;
  const reason = `The PayPal payout is ${failed.toLowerCase()}${shownCode(name)}.`;
  const otherwise = CAME_BACK.has(failed) ? 'returned' : 'refused';
  const code = paypalFailures.get(String(name)) ?? otherwise;
  return { status: 'failed', reason, code, transaction_id };
}

const Links = Type.Optional(Type.Array(Type.Object({ href: Type.String() })));
const Refusal = Type.Object({
  name: Type.String(),
  details: Type.Optional(
    Type.Array(Type.Object({ field: Type.Optional(Type.Unknown()), link: Links })),
  ),
  links: Links,
});
const RefusalAnswer = Compile(Refusal);

/** The id of the batch that already has this batch id, taken from a link. The link itself is never requested. */
function originalOf({ details = [], links = [] }: Static<typeof Refusal>): string | undefined {
  const hrefs = [...details.flatMap(({ link = [] }) => link), ...links].map(({ href }) => href);
  const found = hrefs.map((href) => /\/v1\/payments\/payouts\/([A-Za-z0-9_-]+)$/.exec(href)?.[1]);
  return found.find((id) => id !== undefined);
}

const reasons = new Map<FailureCode, string>([
  ['balance', 'The PayPal balance does not cover the payout.'],
  ['not_permitted', 'The PayPal account may not make payouts.'],
]);

function refused({ name, details = [] }: Static<typeof Refusal>, status: number): GatewayOutcome {
  // The batch id exists but PayPal does not name the batch, which may have paid.
  if (details.some(({ field }) => /sender_batch_id/i.test(String(field)))) {
    throw new NoAnswer('it knows the payout but does not name it');
  }
  const isReceiver = details.some(({ field }) => /receiver/i.test(String(field)));
  const code =
    paypalFailures.get(name) ??
    (status === 403 ? 'not_permitted' : isReceiver ? 'account_unknown' : 'refused');
  const reason = reasons.get(code) ?? `PayPal refused the payout${shownCode(name)}.`;
  return { status: 'failed', reason, code };
}
