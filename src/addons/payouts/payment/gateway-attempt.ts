import type { Gateway, GatewayOutcome } from '../extension.ts';
import type { Site } from '../../../kernel/declare/site.ts';
import { beginAttempt } from './follow-up-store.ts';
import { callGateway, isInTime, LEASE_MS, toGatewayPayout } from './gateway-call.ts';
import type { PayoutRow } from '../payout-store.ts';

/** The outcome of a call, with the payout as this process has leased it. */
export interface GatewayAnswer {
  readonly payout: PayoutRow;
  /** What the gateway was called for: a refusal means something else with each. */
  readonly act: 'prepare' | 'pay' | 'ask';
  readonly outcome: GatewayOutcome;
}

/**
 * One attempt to pay. Between what cannot move money (`prepare`) and what can (`pay`) the attempt is
 * counted and committed: from then on the payment may have been accepted, whatever becomes of this
 * process. `counted`: the transaction that leased the payout has counted the attempt already.
 */
export async function attemptPayment(
  site: Site,
  gateway: Gateway,
  leased: PayoutRow,
  { counted }: { counted: boolean },
): Promise<GatewayAnswer> {
  const repeated = leased.pay_attempts > (counted ? 1 : 0);
  const asked = () => toGatewayPayout(site, leased, repeated);
  const prepare = async () => (await gateway.prepare?.(asked())) ?? { status: 'ready' as const };
  const ready = await callGateway(site, gateway, 'prepare', prepare, leased);
  if (ready.status !== 'ready') return { payout: leased, act: 'prepare', outcome: ready };

  const payout = counted ? leased : await countAttempt(site, leased);
  if (!payout) {
    const outcome = { status: 'unknown', reason: 'another process has taken it over' } as const;
    return { payout: leased, act: 'prepare', outcome };
  }
  if (!isInTime(payout, site.clock())) {
    const outcome = { status: 'unknown', reason: 'too late to call the gateway' } as const;
    return { payout, act: 'pay', outcome };
  }
  const pay = async () => gateway.pay(asked(), ready.prepared);
  return { payout, act: 'pay', outcome: await callGateway(site, gateway, 'pay', pay, payout) };
}

export async function askGateway(
  site: Site,
  gateway: Gateway,
  payout: PayoutRow,
): Promise<GatewayAnswer> {
  const ask = async () => gateway.ask(toGatewayPayout(site, payout, payout.pay_attempts > 0));
  return { payout, act: 'ask', outcome: await callGateway(site, gateway, 'ask', ask, payout) };
}

function countAttempt(site: Site, leased: PayoutRow): Promise<PayoutRow | undefined> {
  return site.database.transaction((tx) => beginAttempt(tx, leased, site.clock() + LEASE_MS));
}
