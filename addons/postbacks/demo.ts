import { invoke } from '../../src/kernel/call/invoke.ts';
import type { DemoPart } from '../../src/kernel/declare/demo.ts';
import type { Site } from '../../src/kernel/declare/site.ts';
import { changeSettings } from '../../src/modules/settings/index.ts';
import { openLoopbackServer } from '../../src/shared/loopback-server.ts';
import { createPostback } from './api/create-postback.ts';

/** An affiliate sends its orders to a tracker, which is on this machine. */
export async function openDemoPostbacks(): Promise<DemoPart> {
  const { url, close } = await openLoopbackServer(() => ({ status: 204 }));
  return {
    counts: () => ({ postbacks: 1 }),
    happenings: (site, [affiliate]) =>
      affiliate && site.registry.isActive(createPostback)
        ? [{ daysAgo: 1, happen: () => connectTracker(site, affiliate.id, url) }]
        : [],
    close,
  };
}

async function connectTracker(site: Site, id: number, url: string): Promise<void> {
  await invoke(site, changeSettings, { 'postbacks.allow_private': true });
  await invoke(site, createPostback, {
    id,
    url: `${url}/postback?cid={sub1}&status={status}&payout={commission}`,
    events: ['created', 'granted', 'reversed'],
  });
}
