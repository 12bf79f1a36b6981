import type { Socket } from 'node:net';
import type { Log } from '../../kernel/declare/log.ts';
import { networkOf } from '../../shared/network.ts';
import { peerOf, type TrustedProxies } from './trusted-proxies.ts';

/** Above this fraction of the maximum, the server accepts connections only from networks with few. */
const CROWDED = 0.75;
/** The fraction of the maximum that one network may have while the server is crowded. */
const SHARE_WHILE_CROWDED = 0.01;
const WARNING_INTERVAL_MS = 60_000;

export interface ConnectionCeilings {
  /** Connections of all networks together. */
  readonly all: number;
  /** Connections of one network: an IPv4 address, or an IPv6 /64. */
  readonly perNetwork: number;
}

/**
 * Limits the open connections per network. One network cannot use up the maximum of the server, and many
 * networks together leave a quarter of it to networks with few connections. Trusted proxies are exempt,
 * because each carries the connections of all clients behind it.
 */
export class ConnectionLimits {
  readonly #ceilings: ConnectionCeilings;
  readonly #proxies: TrustedProxies;
  readonly #log: Log;
  readonly #byNetwork = new Map<string, number>();
  #total = 0;
  #warnedMs = Number.NEGATIVE_INFINITY;

  constructor(ceilings: ConnectionCeilings, proxies: TrustedProxies, log: Log) {
    this.#ceilings = ceilings;
    this.#proxies = proxies;
    this.#log = log;
  }

  /** Counts a new connection until it closes, or closes it immediately. */
  admit(socket: Socket): void {
    if (this.#proxies.isProxy(socket)) return;
    const network = networkOf(peerOf(socket));
    const held = this.#byNetwork.get(network) ?? 0;
    if (held >= this.#ceiling()) {
      this.#warn(network, held);
      socket.destroy();
      return;
    }
    this.#byNetwork.set(network, held + 1);
    this.#total += 1;
    socket.once('close', () => this.#release(network));
  }

  #ceiling(): number {
    const { all, perNetwork } = this.#ceilings;
    if (this.#total < all * CROWDED) return perNetwork;
    return Math.min(perNetwork, Math.max(1, Math.floor(all * SHARE_WHILE_CROWDED)));
  }

  #release(network: string): void {
    this.#total -= 1;
    const held = this.#byNetwork.get(network)! - 1;
    if (held > 0) this.#byNetwork.set(network, held);
    else this.#byNetwork.delete(network);
  }

  #warn(network: string, connections: number): void {
    const nowMs = performance.now();
    if (nowMs - this.#warnedMs < WARNING_INTERVAL_MS) return;
    this.#warnedMs = nowMs;
    this.#log.warn(
      { network, connections },
      'a network has too many connections open: further ones are refused',
    );
  }
}
