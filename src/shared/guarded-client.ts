import type { Agent } from 'undici';
import {
  guardedConnector,
  reachableAddresses,
  resolveLocal,
  resolvePublic,
  type Guard,
} from './guarded-connect.ts';
import { GuardedExchange, type GuardedResponse } from './guarded-exchange.ts';
import { hostOf } from './public-address.ts';

const IDLE_MS_MAX = 10_000;

export interface GuardedRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly headers: Record<string, string>;
  readonly body?: string;
  /** The time for the complete exchange, from the DNS lookup to the end of the response. */
  readonly timeoutMs: number;
  /** Aborts the exchange. */
  readonly signal?: AbortSignal;
  /** Whether to read the beginning of the body; most callers need the status alone. */
  readonly readsText?: boolean;
  /** How many bytes of the body are read; 4 KiB by default. */
  readonly bytesMax?: number;
}

export type GuardedPost = Omit<GuardedRequest, 'method' | 'body'> & { readonly body: string };

/**
 * Sends requests to addresses that users entered, without access to internal networks (SSRF): it follows no
 * redirect, uses no proxy of the environment, decompresses nothing, and checks every connection (see
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

  /** Throws a `TransportError` when no response arrives. */
  post(url: URL, post: GuardedPost): Promise<GuardedResponse> {
    return this.request(url, { ...post, method: 'POST' });
  }

  /** Throws a `TransportError` when no response arrives. */
  async request(url: URL, request: GuardedRequest): Promise<GuardedResponse> {
    const { method, headers, body = null, timeoutMs, signal, readsText, bytesMax } = request;
    const agent = await (this.#agent ??= openAgent(this.guard));
    const exchange = new GuardedExchange({
      ...(readsText !== undefined && { readsText }),
      ...(bytesMax !== undefined && { bytesMax }),
    });
    const end = () => exchange.end();
    const timer = setTimeout(end, timeoutMs);
    signal?.addEventListener('abort', end, { once: true });
    const path = url.pathname + url.search;
    agent.dispatch({ origin: url.origin, path, method, headers, body }, exchange);
    try {
      return await exchange.response;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
    }
  }

  /** Throws a `TransportError` if the addresses that this host has now must not be reached. */
  async check(url: URL): Promise<void> {
    await reachableAddresses(hostOf(url), this.guard);
  }

  async close(): Promise<void> {
    await (await this.#agent)?.destroy();
  }
}

/** Loaded with the first request: most installations send none, and it costs memory and start-up time. */
async function openAgent(guard: Guard): Promise<Agent> {
  const { default: undici } = await import('undici');
  return new undici.Agent({
    connect: guardedConnector(guard),
    allowH2: false,
    pipelining: 1,
    keepAliveTimeout: IDLE_MS_MAX,
    keepAliveMaxTimeout: IDLE_MS_MAX,
    // `request` has one timeout for the complete exchange.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
}
