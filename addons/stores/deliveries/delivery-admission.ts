import { perSite } from '../../../src/kernel/declare/site.ts';
import { BoundedMap } from '../../../src/shared/bounded-map.ts';

const MEGABYTE = 1024 * 1024;
/** Deliveries of real stores are mostly smaller, and cost the same as any other request. */
const SMALL_BYTES = 64 * 1024;
/** How much of large deliveries one network may send at the same time. */
const UNDER_WAY_MAX = 16 * MEGABYTE;
/** After so many refused bytes within a minute, no large delivery is read until the minute ends. */
const REFUSED_MAX = { network: 16 * MEGABYTE, connection: 64 * MEGABYTE };
const WINDOW_MS = 60_000;
const KNOWN_MAX = 10_000;

export interface Sender {
  readonly network: string;
  readonly connection: string;
}

/**
 * Decides before the body of a delivery is read, because only the complete body shows whether its signature is right. A
 * forged delivery may be as large as a real one, so what a network and a connection may waste is limited. Small
 * deliveries are always read: stores of one platform share its networks, and one must not be able to stop another.
 *
 * @internal Exported for its test.
 */
export class DeliveryAdmission {
  readonly #monotonic: () => number;
  readonly #underWay = new Map<string, number>();
  readonly #refused = new BoundedMap<string, { bytes: number; endsMs: number }>(KNOWN_MAX);

  constructor(monotonic: () => number) {
    this.#monotonic = monotonic;
  }

  /** Returns what to call when the request has ended; undefined to refuse it. */
  admit({ network, connection }: Sender, bytes: number): (() => void) | undefined {
    if (bytes <= SMALL_BYTES) return () => {};
    if (this.#refusedBytes(`network ${network}`) >= REFUSED_MAX.network) return undefined;
    if (this.#refusedBytes(`connection ${connection}`) >= REFUSED_MAX.connection) return undefined;
    const underWay = (this.#underWay.get(network) ?? 0) + bytes;
    if (underWay > UNDER_WAY_MAX) return undefined;
    this.#underWay.set(network, underWay);
    return () => {
      const left = this.#underWay.get(network)! - bytes;
      if (left > 0) this.#underWay.set(network, left);
      else this.#underWay.delete(network);
    };
  }

  noteRefused({ network, connection }: Sender, bytes: number): void {
    if (bytes <= SMALL_BYTES) return;
    for (const key of [`network ${network}`, `connection ${connection}`]) {
      const now = this.#monotonic();
      const window = this.#refused.get(key);
      if (window && window.endsMs > now) window.bytes += bytes;
      else this.#refused.set(key, { bytes, endsMs: now + WINDOW_MS });
    }
  }

  #refusedBytes(key: string): number {
    const window = this.#refused.get(key);
    return window && window.endsMs > this.#monotonic() ? window.bytes : 0;
  }
}

export const deliveryAdmission = perSite((site) => new DeliveryAdmission(site.monotonic));
