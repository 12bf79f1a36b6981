import type { Job } from '../../kernel/job.ts';
import type { Site } from '../../kernel/site.ts';
import { leasePayout, listDue } from './follow-up-store.ts';
import { callGateway, LEASE_MS } from './gateway-call.ts';
import { findMethod } from './methods.ts';
import type { PayoutRow } from './payout-store.ts';
import { settlePayout } from './settle-payout.ts';

const AT_ONCE_MAX = 20;

/**
 * Asks the gateways what has become of payouts: those a crash has left in `processing`, those that
 * take days, and those that may come back. One that the gateway has never heard of is begun again
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

async function follow(site: Site, payout: PayoutRow): Promise<void> {
  const nowMs = site.clock();
  const mine = await site.database.transaction((tx) =>
    leasePayout(tx, payout, nowMs, nowMs + LEASE_MS),
  );
  if (!mine) return;
  const gateway = findMethod(site, payout.method_type)?.gateway(site);
  if (!gateway) {
    site.log.error(
      { payout_id: payout.id, method_type: payout.method_type },
      'a payout is at a gateway that is not set up any more: give its credentials back',
    );
  }
  const repeated = { repeated: true };
  let outcome = gateway && (await callGateway(site, gateway, 'ask', payout, repeated));
  if (gateway && outcome?.status === 'absent' && payout.status === 'processing') {
    outcome = await callGateway(site, gateway, 'pay', payout, repeated);
  }
  await site.database.transaction((tx) =>
    settlePayout(tx, site, payout, outcome ?? { status: 'unknown' }, site.clock()),
  );
}
