import type { Job } from '../../../src/kernel/declare/job.ts';
import { perSite, type Site } from '../../../src/kernel/declare/site.ts';
import type { Gateway } from '../extension.ts';
import { gatewaySettings } from '../gateways/gateway-settings.ts';
import { findMethod } from '../gateways/methods.ts';
import { isSuspended, type PayoutRow } from '../payout/payout-rows.ts';
import { askGateway, attemptPayment, LEASE_MS, type GatewayAnswer } from './call-gateway.ts';
import { leasePayout, listDue, makeRetriesDue } from './follow-up-rows.ts';
import { settlePayout } from './settle-payout.ts';

/** How many gateways are called in parallel. */
const PARALLEL_MAX = 20;

/**
 * Asks the gateways about open payments: payouts that a crash left in `processing`, transfers that take days, and
 * payments that may come back. A payment that the gateway does not know is attempted again under the same key, so
 * it cannot be paid twice.
 */
export const followUp: Job = {
  name: 'payouts.follow-up',
  everyMs: 5_000,
  runsOn: 'one',
  async run(site) {
    await retryAfterNewCredentials(site);
    for (;;) {
      const due = { now: site.clock(), limit: PARALLEL_MAX };
      const payouts = await listDue(site.database.read, due);
      await Promise.all(payouts.map((payout) => follow(site, payout)));
      if (payouts.length < PARALLEL_MAX) return;
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
  const answer = gateway ? await ask(site, gateway, payout) : withoutGateway(payout);
  await site.database.transaction((tx) => settlePayout(tx, site, answer, site.clock()));
}

async function ask(site: Site, gateway: Gateway, payout: PayoutRow): Promise<GatewayAnswer> {
  const wasSent = payout.status !== 'processing' || payout.pay_attempts > 0;
  if (wasSent) {
    const answer = await askGateway(site, gateway, payout);
    if (answer.outcome.status !== 'absent' || payout.status !== 'processing') return answer;
  }
  if (await isSuspended(site.database.read, payout.user_id)) {
    const outcome = {
      status: 'failed',
      code: 'suspended',
      reason: 'The affiliate is suspended.',
    } as const;
    return { payout, act: 'prepare', outcome };
  }
  return attemptPayment(site, gateway, payout, { counted: false });
}

function withoutGateway(payout: PayoutRow): GatewayAnswer {
  const outcome = {
    status: 'unknown',
    code: 'not_set_up',
    reason: 'The gateway is no longer set up.',
  } as const;
  return { payout, act: 'ask', outcome };
}

/** The credentials at the last run of the job in this process. */
const lastCredentials = perSite(() => ({ text: '' }));

/** Retries payouts that wait for the store as soon as the credentials change, and after a restart. */
async function retryAfterNewCredentials(site: Site): Promise<void> {
  const last = lastCredentials(site);
  const text = JSON.stringify(gatewaySettings.map((setting) => site.settings.get(setting)));
  if (text === last.text) return;
  await site.database.transaction((tx) => makeRetriesDue(tx, { now: site.clock() }));
  last.text = text;
}
