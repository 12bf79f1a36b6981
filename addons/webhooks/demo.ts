import { invoke } from '../../src/kernel/call/invoke.ts';
import type { DemoPart } from '../../src/kernel/declare/demo.ts';
import type { Site } from '../../src/kernel/declare/site.ts';
import { changeSettings } from '../../src/modules/settings/index.ts';
import { openLoopbackServer } from '../../src/shared/loopback-server.ts';
import { createWebhook } from './api/create-webhook.ts';

/** Half an hour ago: shortly before the last payouts, whose events are sent when the demo runs. */
const DAYS_AGO = 0.5 / 24;
const BROKEN = '/broken-receiver';
const HEALTHY = '/healthy-receiver';

/** One webhook with a broken receiver, and one with a working receiver. */
export async function openDemoWebhooks(): Promise<DemoPart> {
  const { url, close } = await openLoopbackServer(({ path }) => {
    if (path === BROKEN) return { status: 500 };
    return { status: path === HEALTHY ? 204 : 404 };
  });
  return {
    happenings: (site) =>
      site.registry.isActive(createWebhook)
        ? [{ daysAgo: DAYS_AGO, happen: () => createWebhooks(site, url) }]
        : [],
    close,
  };
}

async function createWebhooks(site: Site, url: string): Promise<void> {
  // The receivers are on this machine.
  await invoke(site, changeSettings, { 'webhooks.allow_private': true });
  await invoke(site, createWebhook, {
    name: 'Accounting (its server is broken)',
    url: url + BROKEN,
    events: ['payout.requested', 'payout.created', 'payout.paid', 'payout.failed'],
  });
  await invoke(site, createWebhook, {
    name: 'Team chat',
    url: url + HEALTHY,
    events: ['registration.created', 'payout.requested', 'payout.failed'],
  });
}
