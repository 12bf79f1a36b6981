import { limitedLogOf } from '../../../src/kernel/declare/limited-log.ts';
import type { Site } from '../../../src/kernel/declare/site.ts';
import { causeOf } from '../../../src/shared/limited-log.ts';
import { readPayoutDetails } from '../details/details-rows.ts';
import type { Gateway, GatewayOutcome, GatewayPayout, GatewayPreparation } from '../extension.ts';
import type { PayoutRow } from '../payout/payout-rows.ts';
import { beginAttempt } from './follow-up-rows.ts';

/** Longer than any built-in gateway takes. A gateway of an extension may hang. */
const CALL_MS = 30_000;

/** How long a process leases a payout: longer than a call can take. */
export const LEASE_MS = 2 * CALL_MS;

interface Outcomes {
  prepare: GatewayPreparation;
  pay: GatewayOutcome;
  ask: GatewayOutcome;
}

/** The outcome of a call, with the payout as this process has leased it. */
export interface GatewayAnswer {
  readonly payout: PayoutRow;
  /** The method that was called: what a refusal means depends on it. */
  readonly act: keyof Outcomes;
  readonly outcome: GatewayOutcome;
}

/**
 * Makes one attempt to pay. The attempt is counted and committed between `prepare`, which cannot move money, and
 * `pay`, which can: from then on the payment may have been accepted, even if this process crashes.
 *
 * @param options.counted Whether the transaction that leased the payout has already counted the attempt.
 */
export async function attemptPayment(
  site: Site,
  gateway: Gateway,
  leased: PayoutRow,
  { counted }: { counted: boolean },
): Promise<GatewayAnswer> {
  const repeated = leased.pay_attempts > (counted ? 1 : 0);
  const request = () => toGatewayPayout(site, leased, repeated);
  const prepare = async () => (await gateway.prepare?.(request())) ?? { status: 'ready' as const };
  const ready = await call(site, gateway, 'prepare', prepare, leased);
  if (ready.status !== 'ready') return { payout: leased, act: 'prepare', outcome: ready };

  const payout = counted ? leased : await countAttempt(site, leased);
  if (!payout) {
    const outcome = unknown('another process has taken over the payout');
    return { payout: leased, act: 'prepare', outcome };
  }
  if (!isInTime(payout, site.clock())) {
    const outcome = unknown('the lease ends too soon to call the gateway');
    return { payout, act: 'pay', outcome };
  }
  const pay = async () => gateway.pay(request(), ready.prepared);
  return { payout, act: 'pay', outcome: await call(site, gateway, 'pay', pay, payout) };
}

/** Asks a gateway about a payment that may have been made. */
export async function askGateway(
  site: Site,
  gateway: Gateway,
  payout: PayoutRow,
): Promise<GatewayAnswer> {
  const ask = async () => gateway.ask(toGatewayPayout(site, payout, payout.pay_attempts > 0));
  return { payout, act: 'ask', outcome: await call(site, gateway, 'ask', ask, payout) };
}

function countAttempt(site: Site, leased: PayoutRow): Promise<PayoutRow | undefined> {
  return site.database.transaction((tx) => beginAttempt(tx, leased, site.clock() + LEASE_MS));
}

/** Whether a call that begins now ends before the lease does. */
function isInTime(payout: PayoutRow, nowMs: number): boolean {
  const leftMs = payout.leased_until - nowMs;
  // A lease can exceed LEASE_MS only if the clock was set back; another process may then take the payout soon.
  return leftMs >= CALL_MS && leftMs <= LEASE_MS;
}

type UnknownOutcome = { status: 'unknown'; reason: string };

const unknown = (reason: string): UnknownOutcome => ({ status: 'unknown', reason });

/** Calls a gateway. After any error the outcome is `unknown`, because the gateway may have paid. */
async function call<Act extends keyof Outcomes>(
  site: Site,
  gateway: Gateway,
  act: Act,
  send: () => Promise<Outcomes[Act]>,
  payout: PayoutRow,
): Promise<Outcomes[Act] | UnknownOutcome> {
  const timeout = Promise.withResolvers<UnknownOutcome>();
  const timer = setTimeout(() => timeout.resolve(unknown('no answer in time')), CALL_MS);
  const about = { payout_id: payout.id, gateway: gateway.method_type };
  try {
    const outcome = await Promise.race([send(), timeout.promise]);
    return isOutcome(outcome, act) ? outcome : unknown('the gateway gave an invalid answer');
  } catch (error) {
    const cause = `gateway ${gateway.method_type} ${act} ${causeOf(error)}`;
    limitedLogOf(site).error(cause, { ...about, err: error }, `the gateway failed to ${act}`);
    return unknown('the gateway could not be reached');
  } finally {
    clearTimeout(timer);
  }
}

/** @param repeated Whether an earlier attempt may have been accepted. */
function toGatewayPayout(site: Site, payout: PayoutRow, repeated: boolean): GatewayPayout {
  return {
    payout_id: payout.id,
    amount: site.currency.toMajor(payout.amount),
    amount_minor: payout.amount,
    currency: site.currency.code,
    details: readPayoutDetails(site, payout),
    idempotency_key: `payout-${payout.id}-${payout.nonce}`,
    transaction_id: payout.transaction_id,
    begun_at: new Date(payout.begun_at ?? payout.requested_at).toISOString(),
    repeated,
  };
}

/** Checked at run time because an extension's gateway may return anything. */
function isOutcome(outcome: unknown, act: keyof Outcomes): boolean {
  if (typeof outcome !== 'object' || outcome === null || !('status' in outcome)) return false;
  const { status } = outcome;
  const transactionId = 'transaction_id' in outcome ? outcome.transaction_id : undefined;
  if (status === 'failed') return transactionId === undefined || typeof transactionId === 'string';
  if (status === 'unknown') return true;
  if (act === 'prepare') return status === 'ready';
  if (status === 'absent') return true;
  return (status === 'paid' || status === 'created') && typeof transactionId === 'string';
}
