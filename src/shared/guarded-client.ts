import type { Agent } from 'undici';
import {
  guardedConnector,
  reachableAddresses,
  resolveLocal,
  resolvePublic,
  type Guard,
} from './guarded-connect.ts';
import { GuardedExchange, type GuardedAnswer } from './guarded-exchange.ts';
import { hostOf } from './public-address.ts';

const IDLE_MS_MAX = 10_000;

export interface GuardedPost {
  readonly headers: Record<string, string>;
  readonly body: string;
  /** For everything together, from the name to the end of the answer. */
  readonly timeoutMs: number;
  /** Ends it early. */
  readonly signal?: AbortSignal;
  /** Whether the answer has the beginning of its body; most callers need the status alone. */
  readonly readsText?: boolean;
}

/**
 * Sends to addresses that strangers have given, without a way inside: no redirect is followed, no
 * proxy of the environment is used, nothing is unpacked, and every connection is checked (see
 * guarded-connect.ts).
 */
export class GuardedClient {
  readonly guard: Guard;
  #agent: Promise<Agent> | undefined;

  constructor({ allowPrivate, ...given }: Partial<Guard> = {}) {
    this.guard = {
      allowPrivate: allowPrivate ?? false,
      resolve: allowPrivate ? resolveLocal : resolvePublic,
      ...given,
    };
  }

  /** Throws a `TransportError` when no answer has come. */
  async post(url: URL, post: GuardedPost): Promise<GuardedAnswer> {
    const { headers, body, timeoutMs, signal, readsText = false } = post;
    const agent = await (this.#agent ??= openAgent(this.guard));
    const exchange = new GuardedExchange({ readsText });
    const end = () => exchange.end();
    const timer = setTimeout(end, timeoutMs);
    signal?.addEventListener('abort', end, { once: true });
    const path = url.pathname + url.search;
    agent.dispatch({ origin: url.origin, path, method: 'POST', headers, body }, exchange);
    try {
      return await exchange.answer;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
    }
  }

  /** Throws a `TransportError` when nothing may be sent there, as far as that can be told by now. */
  async check(url: URL): Promise<void> {
    await reachableAddresses(hostOf(url), this.guard);
  }

  async close(): Promise<void> {
    await (await this.#agent)?.destroy();
  }
}

/** Loaded with the first post: most installations send none, and it takes memory and time of the start. */
async function openAgent(guard: Guard): Promise<Agent> {
  const { default: undici } = await import('undici');
  return new undici.Agent({
    connect: guardedConnector(guard),
    allowH2: false,
    pipelining: 1,
    keepAliveTimeout: IDLE_MS_MAX,
    keepAliveMaxTimeout: IDLE_MS_MAX,
    // One clock for all of it, in `post`.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
}
