import { setTimeout } from 'node:timers/promises';
import type { Site } from '../kernel/site.ts';
import { countEvents, pollEvents } from '../modules/events/event-store.ts';
import { GuardedClient } from '../shared/guarded-client.ts';
import { didYouMean } from '../shared/nearest.ts';
import { randomBase62 } from '../shared/secrets.ts';
import {
  messageBody,
  messageId,
  signedHeaders,
  type WebhookMessage,
} from '../shared/standard-webhooks.ts';
import { TransportError } from '../shared/transport-error.ts';
import { CommandError } from './failure.ts';
import { print } from './output.ts';
import { withSite, type Flags } from './with-site.ts';

const POLL_MS = 250;
const AT_ONCE_MAX = 100;
const EXCHANGE_MS_MAX = 15_000;

export interface ForwardFlags extends Flags {
  forwardTo: string;
  events?: string;
  after?: string;
}

export async function listen(flags: ForwardFlags): Promise<void> {
  await withSite(flags, async (site) => {
    requireWebhooks(site);
    const events = flags.events?.split(',').map((name) => name.trim());
    for (const name of events ?? []) requireEvent(site, name);
    const forwarder = new Forwarder(site, flags.forwardTo);
    let after = await firstPosition(site, flags.after);
    print(flags.json, { secret: forwarder.secret, forward_to: flags.forwardTo, after }, () =>
      [
        `Forwarding to ${flags.forwardTo}. Stop with Ctrl+C.`,
        `Secret: ${forwarder.secret}`,
        '',
      ].join('\n'),
    );

    const stop = new AbortController();
    for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => stop.abort());
    while (!stop.signal.aborted) {
      const found = await pollEvents(site.database, { after, limit: AT_ONCE_MAX });
      for (const { id, event, data, created_at } of found.events) {
        if (stop.signal.aborted) break;
        after = id;
        if (events && !events.includes(event)) continue;
        const message = { type: event, id, occurredAtMs: created_at, data };
        const outcome = await forwarder.forward(messageId(id), message);
        print(
          flags.json,
          { id, event, ...outcome },
          () => `${messageId(id)} ${event} → ${words(outcome)}`,
        );
      }
      if (found.events.length === 0) {
        await setTimeout(POLL_MS, undefined, { signal: stop.signal }).catch(() => {});
      }
    }
    await forwarder.close();
  });
}

export async function trigger(name: string, flags: ForwardFlags): Promise<void> {
  await withSite(flags, async (site) => {
    requireWebhooks(site);
    const event = requireEvent(site, name);
    const forwarder = new Forwarder(site, flags.forwardTo);
    const data = JSON.stringify(event.example.data);
    const message = { type: event.name, id: 0, occurredAtMs: site.clock(), data };
    const outcome = await forwarder.forward(`evt_sample_${randomBase62(16)}`, message);
    await forwarder.close();
    if (outcome.error !== null) throw new CommandError('failed', outcome.error);
    const sent = { secret: forwarder.secret, body: JSON.parse(messageBody(message)), ...outcome };
    print(flags.json, sent, () =>
      [`Secret: ${sent.secret}`, JSON.stringify(sent.body, null, 2), `→ ${words(outcome)}`].join(
        '\n',
      ),
    );
  });
}

interface Outcome {
  code: number | null;
  error: string | null;
}

function words({ code, error }: Outcome): string {
  return error ?? String(code);
}

/** Sends to an address that the person at the keyboard has chosen, so it may be a private one. */
class Forwarder {
  /** The same for every call on this installation: a receiver is set up with it once. */
  readonly secret: string;
  readonly #client = new GuardedClient({ allowPrivate: true });
  readonly #url: URL;
  readonly #site: Site;

  constructor(site: Site, url: string) {
    const parsed = URL.parse(url);
    if (!parsed || !/^https?:$/.test(parsed.protocol)) {
      throw new CommandError('usage', `--forward-to must be an http or https URL, not "${url}".`);
    }
    const bytes = Buffer.from(site.keyring.hash('webhook development', 'secret'), 'base64url');
    this.secret = `whsec_${bytes.toString('base64')}`;
    this.#url = parsed;
    this.#site = site;
  }

  async forward(id: string, message: WebhookMessage): Promise<Outcome> {
    const body = messageBody(message);
    const headers = signedHeaders(this.secret, { id, body, nowMs: this.#site.clock() });
    try {
      const post = { headers, body, timeoutMs: EXCHANGE_MS_MAX };
      return { code: (await this.#client.post(this.#url, post)).status, error: null };
    } catch (error) {
      if (!(error instanceof TransportError)) throw error;
      return { code: null, error: error.message };
    }
  }

  async close(): Promise<void> {
    await this.#client.close();
  }
}

/** Sending is an add-on, which the command line knows by its name alone. */
function requireWebhooks({ registry }: Site): void {
  if (registry.activeModules().some(({ name }) => name === 'webhooks')) return;
  throw new CommandError('refused', 'There are no webhooks in this edition, or they are off.');
}

function requireEvent({ registry }: Site, name: string) {
  const event = registry.events().find((known) => known.name === name);
  if (event) return event;
  const names = registry.events().map((known) => known.name);
  throw new CommandError('usage', `There is no event "${name}".${didYouMean(name, names)}`);
}

async function firstPosition(site: Site, after: string | undefined): Promise<number> {
  if (after === undefined) return (await countEvents(site.database, {})).head;
  if (/^\d{1,15}$/.test(after)) return Number(after);
  throw new CommandError('usage', `--after must be the id of an event, not "${after}".`);
}
