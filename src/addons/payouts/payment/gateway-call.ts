import type { Gateway, GatewayOutcome, GatewayPayout } from '../extension.ts';
import { limitedLogOf } from '../../../kernel/declare/limited-log.ts';
import type { Site } from '../../../kernel/declare/site.ts';
import { causeOf } from '../../../shared/limited-log.ts';
import { readPayoutDetails } from '../details/details-store.ts';
import type { PayoutRow } from '../payout-store.ts';

/** Longer than any built-in gateway takes; a gateway of an extension may hang. */
const CALL_MS = 30_000;

/** How long a process has a payout to itself: longer than a call can take. */
export const LEASE_MS = 2 * CALL_MS;

type Outcomes = {
  prepare: Awaited<ReturnType<NonNullable<Gateway['prepare']>>>;
  pay: GatewayOutcome;
  ask: GatewayOutcome;
};

/** Whether a call that begins now ends while the payout is still leased. */
export function isInTime(payout: PayoutRow, nowMs: number): boolean {
  const leftMs = payout.leased_until - nowMs;
  // More than a lease is from before the clock was set back: another process may have the payout soon.
  return leftMs >= CALL_MS && leftMs <= LEASE_MS;
}

/**
 * Calls a gateway. Whatever goes wrong on the way, the outcome is `unknown`: only the gateway can tell
 * whether it has paid.
 */
export async function callGateway<Act extends keyof Outcomes>(
  site: Site,
  gateway: Gateway,
  act: Act,
  call: () => Promise<Outcomes[Act]>,
  payout: PayoutRow,
): Promise<Outcomes[Act] | { status: 'unknown'; reason: string }> {
  const timeout = Promise.withResolvers<{ status: 'unknown'; reason: string }>();
  const timer = setTimeout(() => timeout.resolve(unknown('no answer in time')), CALL_MS);
  const about = { payout_id: payout.id, gateway: gateway.method_type };
  try {
    const outcome = await Promise.race([call(), timeout.promise]);
    if (!isOutcome(outcome, act)) return unknown('the gateway answered something else');
    return outcome;
  } catch (error) {
    const cause = `gateway ${gateway.method_type} ${act} ${causeOf(error)}`;
    limitedLogOf(site).error(cause, { ...about, err: error }, `the gateway failed to ${act}`);
    return unknown('the gateway could not be reached');
  } finally {
    clearTimeout(timer);
  }
}

const unknown = (reason: string) => ({ status: 'unknown' as const, reason });

/** @param repeated Whether an earlier attempt may have been accepted. */
export function toGatewayPayout(site: Site, payout: PayoutRow, repeated: boolean): GatewayPayout {
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

/** A gateway of an extension may answer anything. */
function isOutcome(outcome: unknown, act: keyof Outcomes): boolean {
  const { status, transaction_id } = (outcome ?? {}) as Record<string, unknown>;
  if (status === 'failed')
    return transaction_id === undefined || typeof transaction_id === 'string';
  if (status === 'unknown') return true;
  if (act === 'prepare') return status === 'ready';
  if (status === 'absent') return true;
  return (status === 'paid' || status === 'created') && typeof transaction_id === 'string';
}
