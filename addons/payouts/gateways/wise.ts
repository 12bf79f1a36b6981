import { createHash } from 'node:crypto';
import Type, { type Static } from 'typebox';
import { Compile } from 'typebox/compile';
import { configOf } from '../../../src/kernel/declare/config.ts';
import { gatewayConfig } from '../config.ts';
import type {
  FailureCode,
  Gateway,
  GatewayOutcome,
  GatewayPayout,
  GatewayPreparation,
} from '../extension.ts';
import {
  unexpectedStatus,
  callJson,
  shownCode,
  isRefusal,
  NoAnswer,
  outcomeOf,
  TIMEOUT_MS,
  type GatewayResponse,
} from './gateway-http.ts';
import { wiseProfile, wiseToken } from './gateway-settings.ts';
import { detailsOf, lastOf, type PayoutMethod } from './method.ts';

const Details = Type.Object(
  {
    target_account: Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'The ID of the recipient account at Wise.',
    }),
  },
  { additionalProperties: false },
);

export const wise: PayoutMethod = {
  type: 'wise',
  label: 'Wise',
  details: Details,
  mask: ({ target_account }) => lastOf(String(target_account)),
  gateway(site) {
    const token = site.settings.get(wiseToken);
    const profile = site.settings.get(wiseProfile);
    if (token === '' || profile === '') return undefined;
    return wiseGateway({ token, profile, url: configOf(site, gatewayConfig).wiseUrl });
  },
};

export interface WiseAccess {
  token: string;
  profile: string;
  url: string;
  timeoutMs?: number;
}

type Call = (path: string, body?: object) => Promise<GatewayResponse>;

/**
 * Wise transfers. The service creates them and an administrator funds them at Wise, so a payout is paid only when Wise
 * reports that it has sent the money.
 *
 * @internal Exported for its test.
 */
export function wiseGateway(access: WiseAccess): Gateway {
  const { token, profile, url, timeoutMs = TIMEOUT_MS } = access;
  const begin = (): Call => {
    const signal = AbortSignal.timeout(timeoutMs);
    const headers = { authorization: `Bearer ${token}` };
    return (path, body) => callJson({ url: url + path, headers, signal, ...(body && { body }) });
  };
  return {
    method_type: wise.type,
    label: wise.label,
    prepare: (payout) => outcomeOf('Wise', () => quote(begin(), profile, payout)),
    pay: (payout, quoteId) => outcomeOf('Wise', () => pay(begin(), payout, String(quoteId))),
    ask: (payout) =>
      outcomeOf('Wise', () =>
        payout.transaction_id === ''
          ? find(begin(), profile, payout)
          : ask(begin(), payout.transaction_id),
      ),
  };
}

const QuoteAnswer = Compile(Type.Object({ id: Type.String({ minLength: 1, maxLength: 100 }) }));

const Transfer = Type.Object({
  id: Type.Integer(),
  status: Type.String(),
  customerTransactionId: Type.Optional(Type.Unknown()),
});
const TransferAnswer = Compile(Transfer);
const TransfersAnswer = Compile(Type.Array(Transfer));

/** Creates a quote, which moves no money. Only the transfer that uses it does. */
async function quote(
  call: Call,
  profile: string,
  payout: GatewayPayout,
): Promise<GatewayPreparation> {
  const answer = await call(`/v3/profiles/${profile}/quotes`, {
    sourceCurrency: payout.currency,
    targetCurrency: payout.currency,
    // The affiliate receives the full amount; the store pays the fee on top.
    targetAmount: payout.amount,
  });
  if (!isGood(answer) || !QuoteAnswer.Check(answer.body)) return refused(answer, 'quote');
  return { status: 'ready', prepared: answer.body.id };
}

async function pay(call: Call, payout: GatewayPayout, quoteId: string): Promise<GatewayOutcome> {
  const { target_account } = detailsOf(Details, payout.details);
  const transfer = await call('/v1/transfers', {
    targetAccount: target_account,
    quoteUuid: quoteId,
    customerTransactionId: transactionIdOf(payout),
    details: { reference: `Payout ${payout.payout_id}` },
  });
  if (isGood(transfer) && TransferAnswer.Check(transfer.body))
    return outcomeOfTransfer(transfer.body);
  return refused(transfer, 'transfer');
}

async function ask(call: Call, id: string): Promise<GatewayOutcome> {
  const { status, body } = await call(`/v1/transfers/${encodeURIComponent(id)}`);
  if (status === 200 && TransferAnswer.Check(body)) return outcomeOfTransfer(body);
  throw unexpectedStatus(status);
}

/** Allows for a clock that differs from the one of Wise. */
const CLOCK_SKEW_MS = 86_400_000;
const PAGE_SIZE = 100;

/**
 * Searches all transfers since the first attempt. The transfer is absent only if the complete list could be read. Wise
 * returns the same transfer for the same customerTransactionId, so repeating an attempt that the list does not show
 * yet is harmless.
 */
async function find(call: Call, profile: string, payout: GatewayPayout): Promise<GatewayOutcome> {
  const since = new Date(Date.parse(payout.begun_at) - CLOCK_SKEW_MS).toISOString();
  const ownId = transactionIdOf(payout);
  const seen = new Set<number>();
  for (;;) {
    const search = new URLSearchParams({
      profile,
      createdDateStart: since,
      limit: String(PAGE_SIZE),
      offset: String(seen.size),
    });
    const { status, body } = await call(`/v1/transfers?${search.toString()}`);
    if (status !== 200 || !TransfersAnswer.Check(body)) {
      throw unexpectedStatus(status);
    }
    const own = body.find((transfer) => transfer.customerTransactionId === ownId);
    if (own) return outcomeOfTransfer(own);
    if (body.length === 0) return { status: 'absent' };
    const before = seen.size;
    for (const { id } of body) seen.add(id);
    if (seen.size === before) throw new NoAnswer('its list of transfers does not end');
  }
}

/** Without `bounced_back`: Wise may resend such a transfer, and otherwise refunds it. */
const failures = new Map<string, FailureCode>([
  ['cancelled', 'not_paid'],
  ['funds_refunded', 'returned'],
  ['charged_back', 'not_paid'],
]);

function outcomeOfTransfer({ id, status }: Static<typeof Transfer>): GatewayOutcome {
  const transaction_id = String(id);
  const code = failures.get(status);
  if (code !== undefined) {
    const reason = `The Wise transfer is ${status.replaceAll('_', ' ')}.`;
    return { status: 'failed', reason, code, transaction_id };
  }
  if (status === 'outgoing_payment_sent') return { status: 'paid', transaction_id };
  if (status !== 'incoming_payment_waiting') return { status: 'created', transaction_id };
  return {
    status: 'created',
    transaction_id,
    notice: 'The transfer is waiting to be funded at Wise.',
  };
}

const ErrorAnswer = Compile(
  Type.Object({
    errors: Type.Array(
      Type.Object({ code: Type.Optional(Type.Unknown()), path: Type.Optional(Type.Unknown()) }),
    ),
  }),
);

/** Own texts, because Wise's messages may quote the recipient. */
function refused(
  { status, body }: GatewayResponse,
  wanted: 'quote' | 'transfer',
): { status: 'failed'; reason: string; code: FailureCode } {
  if (!isRefusal(status) || body === undefined) throw unexpectedStatus(status);
  if (status === 401) {
    return { status: 'failed', reason: 'Wise rejected the token.', code: 'credentials' };
  }
  // The only id in a request for a quote is the profile, so 404 means that the token has no access to it.
  if (status === 403 || (status === 404 && wanted === 'quote')) {
    const reason = 'The Wise token may not make transfers with this profile.';
    return { status: 'failed', reason, code: 'not_permitted' };
  }
  const error = ErrorAnswer.Check(body) ? body.errors[0] : undefined;
  const reason = `Wise refused the transfer${shownCode(error?.code)}.`;
  const about = `${String(error?.code)} ${String(error?.path)}`;
  return {
    status: 'failed',
    reason,
    code: codePatterns.find(([pattern]) => pattern.test(about))?.[1] ?? 'refused',
  };
}

/** Wise documents no complete list of error codes, so they are matched by the words in them. */
const codePatterns: [RegExp, FailureCode][] = [
  [/insufficient|balance/i, 'balance'],
  [/profile|verification/i, 'account_limited'],
  [/(recipient|account).*inactive/i, 'account_closed'],
  [/recipient|target_?account/i, 'account_unknown'],
  [/currency/i, 'not_supported'],
  [/amount/i, 'amount_not_payable'],
];

function isGood({ status }: GatewayResponse): boolean {
  return status === 200 || status === 201;
}

/** A UUID (RFC 9562, version 8) derived from the idempotency key. */
function transactionIdOf(payout: GatewayPayout): string {
  const bytes = createHash('sha256').update(payout.idempotency_key).digest().subarray(0, 16);
  bytes[6] = (bytes[6]! & 0x0f) | 0x80;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
