import type { Gateway, GatewayOutcome, GatewayPayout } from '../../kernel/extension.ts';
import type { Site } from '../../kernel/site.ts';
import { readDetails } from './details-store.ts';
import type { PayoutRow } from './payout-store.ts';

/** Longer than any gateway of ours takes: one of a site's own may hang. */
const CALL_MS = 30_000;

/** How long nobody else may talk to the gateway about a payout: longer than a call can take. */
export const LEASE_MS = 2 * CALL_MS;

/**
 * Pays, or asks what has become of a payment. Whatever goes wrong on the way, the answer is
 * "unknown": only the gateway can tell whether it has paid, and it is asked again.
 */
export async function callGateway(
  site: Site,
  gateway: Gateway,
  act: 'pay' | 'ask',
  payout: PayoutRow,
  options: { repeated: boolean },
): Promise<GatewayOutcome> {
  const timeout = Promise.withResolvers<GatewayOutcome>();
  const timer = setTimeout(
    () => timeout.resolve({ status: 'unknown', reason: 'no answer in time' }),
    CALL_MS,
  );
  try {
    const outcome = await Promise.race([
      gateway[act](toGatewayPayout(site, payout, options.repeated)),
      timeout.promise,
    ]);
    if (!isOutcome(outcome)) return { status: 'unknown' };
    if (outcome.status === 'unknown') {
      site.log.warn(
        { payout_id: payout.id, gateway: gateway.method_type, reason: outcome.reason },
        'the gateway cannot tell what has become of a payout; it is asked again',
      );
    }
    return outcome;
  } catch (error) {
    site.log.error(
      { err: error, payout_id: payout.id, gateway: gateway.method_type },
      `the gateway could not be reached to ${act}`,
    );
    return { status: 'unknown' };
  } finally {
    clearTimeout(timer);
  }
}

function toGatewayPayout(site: Site, payout: PayoutRow, repeated: boolean): GatewayPayout {
  return {
    payout_id: payout.id,
    amount: site.currency.toMajor(payout.amount),
    amount_minor: payout.amount,
    currency: site.currency.code,
    details: payout.details === null ? {} : readDetails(site, payout.details),
    idempotency_key: `payout-${payout.id}-${payout.nonce}`,
    transaction_id: payout.transaction_id,
    begun_at: new Date(payout.requested_at).toISOString(),
    repeated,
  };
}

/** A site's own gateway may answer anything. */
function isOutcome(outcome: unknown): outcome is GatewayOutcome {
  const { status, transaction_id } = (outcome ?? {}) as Record<string, unknown>;
  return status === 'paid' || status === 'created'
    ? typeof transaction_id === 'string'
    : status === 'failed' || status === 'absent' || status === 'unknown';
}
