import type { Gateway } from '../../kernel/extension.ts';
import type { Job } from '../../kernel/job.ts';
import type { Site } from '../../kernel/site.ts';
import { leasePayout, listDue } from './follow-up-store.ts';
import { askGateway, attemptPayment, type GatewayAnswer } from './gateway-attempt.ts';
import { LEASE_MS } from './gateway-call.ts';
import { findMethod } from './methods.ts';
import { isSuspended, type PayoutRow } from './payout-store.ts';
import { settlePayout } from './settle-payout.ts';

const AT_ONCE_MAX = 20;

/**
 * Asks the gateways what has become of payouts: those a crash has left in `processing`, those that
 * take days, and those that may come back. One that the gateway does not know is attempted again
 * under the same key, so that it cannot be paid twice.
 */
export const followUp: Job = {
  name: 'payouts.follow-up',
  everyMs: 5_000,
  runsOn: 'one',
  async run(site) {
    for (;;) {
      const payouts = await listDue(site.database.read, site.clock(), AT_ONCE_MAX);
      await Promise.all(payouts.map((payout) => follow(site, payout)));
      if (payouts.length < AT_ONCE_MAX) return;
    }
  },
};

async function follow(site: Site, due: PayoutRow): Promise<void> {
  const nowMs = site.clock();
  const payout = await site.database.transaction((tx) =>
    leasePayout(tx, due, nowMs, nowMs + LEASE_MS),
  );
  if (!payout) return;
  const gateway = findMethod(site, payout.method_type)?.gateway(site);
  const answer = gateway ? await ask(site, gateway, payout) : withoutGateway(site, payout);
  await site.database.transaction((tx) => settlePayout(tx, site, answer, site.clock()));
}

async function ask(site: Site, gateway: Gateway, payout: PayoutRow): Promise<GatewayAnswer> {
  const wasSent = payout.status !== 'processing' || payout.pay_attempts > 0;
  if (wasSent) {
    const answer = await askGateway(site, gateway, payout);
    if (answer.outcome.status !== 'absent' || payout.status !== 'processing') return answer;
  }
  if (await isSuspended(site.database.read, payout.user_id)) {
    const outcome = { status: 'failed', reason: 'The affiliate is suspended.' } as const;
    return { payout, act: 'prepare', outcome };
  }
  return attemptPayment(site, gateway, payout, { counted: false });
}

function withoutGateway(site: Site, payout: PayoutRow): GatewayAnswer {
  const { id, method_type } = payout;
  site.log.error(
    { payout_id: id, method_type },
    'a payout is at a gateway that is not set up any more: give its credentials back',
  );
  const outcome = { status: 'unknown', reason: 'The gateway is not set up any more.' } as const;
  return { payout, act: 'ask', outcome };
}
