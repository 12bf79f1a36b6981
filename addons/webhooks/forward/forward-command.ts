import { setTimeout } from 'node:timers/promises';
import { CommandError, type CommandContext } from '../../../src/kernel/declare/command.ts';
import type { Site } from '../../../src/kernel/declare/site.ts';
import { countEvents, pollEvents } from '../../../src/modules/events/index.ts';
import { countOf } from '../../../src/shared/count-of.ts';
import { didYouMean } from '../../../src/shared/nearest.ts';
import { randomBase62 } from '../../../src/shared/secrets.ts';
import { messageBody, messageId } from '../../../src/shared/standard-webhooks.ts';
import { ALL, subscriberOf } from '../webhook/subscription.ts';
import { WebhookForwarder } from './webhook-forwarder.ts';

const POLL_MS = 250;
const AT_ONCE_MAX = 100;

export interface ForwardFlags {
  forwardTo: string;
  events?: string;
  after?: string;
}

export async function listen(
  { withSite, print }: CommandContext,
  flags: ForwardFlags,
): Promise<void> {
  await withSite(async (site) => {
    requireWebhooks(site);
    const events = flags.events?.split(',').map((name) => name.trim());
    for (const name of events ?? []) requireEvent(site, name);
    const isWanted = subscriberOf(JSON.stringify(events ?? [ALL]));
    const forwarder = new WebhookForwarder(site, flags.forwardTo);
    let after = await firstPosition(site, flags.after);
    print({ secret: forwarder.secret, forward_to: flags.forwardTo, after }, () =>
      [
        `Forwarding ${events ? events.join(', ') : 'all events'} after ${messageId(after)} to ${flags.forwardTo}.`,
        `Secret: ${forwarder.secret}`,
        'Verify the signatures in your receiver with this secret; it stays the same on this installation.',
        'Stop with Ctrl+C.',
        '',
      ].join('\n'),
    );

    let [accepted, failed] = [0, 0];
    const stop = new AbortController();
    for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => stop.abort());
    while (!stop.signal.aborted) {
      const found = await pollEvents(site.database, { after, limit: AT_ONCE_MAX });
      for (const { id, event, data, created_at } of found.events) {
        if (stop.signal.aborted) break;
        after = id;
        if (!isWanted(event)) continue;
        const message = { type: event, id, occurredAtMs: created_at, data };
        const outcome = await forwarder.forward(messageId(id), message);
        if (outcome.error === null) accepted += 1;
        else failed += 1;
        print(
          { id, event, ...outcome },
          () => `${messageId(id)} ${event} → ${outcome.error ?? outcome.code}`,
        );
      }
      if (found.events.length === 0) {
        await setTimeout(POLL_MS, undefined, { signal: stop.signal }).catch(() => {});
      }
    }
    await forwarder.close();
    print(
      { accepted, failed },
      () =>
        `\nForwarded ${countOf(accepted + failed, 'event')}: ${accepted} accepted, ${failed} failed.`,
    );
  });
}

export async function trigger(
  { withSite, print }: CommandContext,
  name: string,
  flags: ForwardFlags,
): Promise<void> {
  await withSite(async (site) => {
    requireWebhooks(site);
    const event = requireEvent(site, name);
    const forwarder = new WebhookForwarder(site, flags.forwardTo);
    const data = JSON.stringify(event.example.data);
    const message = { type: event.name, id: 0, occurredAtMs: site.clock(), data };
    const id = `evt_sample_${randomBase62(16)}`;
    const outcome = await forwarder.forward(id, message);
    await forwarder.close();
    if (outcome.code === null) {
      throw new CommandError(
        'failed',
        `${flags.forwardTo}: ${outcome.error} Nothing was delivered.`,
      );
    }
    const body: unknown = JSON.parse(messageBody(message));
    const sent = { secret: forwarder.secret, body, ...outcome };
    print(sent, () =>
      [
        `Sent ${id} to ${flags.forwardTo}`,
        `Secret: ${sent.secret}`,
        JSON.stringify(sent.body, null, 2),
        `→ ${outcome.code}`,
      ].join('\n'),
    );
    if (outcome.error !== null) {
      const expected = 'A delivery counts as received with a status from 200 to 299.';
      throw new CommandError('failed', `${outcome.error}\n${expected}`);
    }
  });
}

function requireWebhooks({ registry }: Site): void {
  if (registry.activeModules().some(({ name }) => name === 'webhooks')) return;
  throw new CommandError('refused', 'There are no webhooks in this edition, or they are off.');
}

function requireEvent({ registry }: Site, name: string) {
  const event = registry.events().find((known) => known.name === name);
  if (event) return event;
  const names = registry.events().map((known) => known.name);
  const hint = didYouMean(name, names) || ` There are: ${names.join(', ')}.`;
  throw new CommandError('usage', `There is no event "${name}".${hint}`);
}

async function firstPosition(site: Site, after: string | undefined): Promise<number> {
  if (after === undefined) return (await countEvents(site.database, {})).head;
  if (/^\d{1,15}$/.test(after)) return Number(after);
  throw new CommandError('usage', `--after must be the id of an event, not "${after}".`);
}
