import { invoke } from '../../kernel/call/invoke.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { changeSettings } from '../../modules/settings/index.ts';
import type { Happening } from './demo-clock.ts';
import type { DemoPartners } from './demo-partners.ts';

/** Half an hour: soon enough before the last payouts, whose events are sent when the demo runs. */
const DAYS_AGO = 0.5 / 24;

/**
 * A webhook whose receiver is broken, and one whose receiver works, where the edition has webhooks:
 * the command line does not know which add-ons there are.
 */
export function webhookHappenings(site: Site, partners: DemoPartners): Happening[] {
  const create = site.registry.activeOperations().find(({ id }) => id === 'post_webhooks');
  if (!create) return [];
  const happen = async () => {
    // The receivers are on this machine.
    await invoke(site, changeSettings, { 'webhooks.allow_private': true });
    await invoke(site, create, {
      name: 'Accounting (its server is broken)',
      url: partners.brokenReceiver,
      events: ['payout.requested', 'payout.created', 'payout.paid', 'payout.failed'],
    });
    await invoke(site, create, {
      name: 'Team chat',
      url: partners.healthyReceiver,
      events: ['registration.created', 'payout.requested', 'payout.failed'],
    });
  };
  return [{ daysAgo: DAYS_AGO, happen }];
}
