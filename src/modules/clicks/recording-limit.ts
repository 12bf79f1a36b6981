import { perSite, type Site } from '../../kernel/declare/site.ts';
import { BoundedMap } from '../../shared/bounded-map.ts';
import { DAY_MS } from '../../shared/durations.ts';

const PER_NETWORK_AND_MINUTE = 60;
/** Far more than people click. Beyond it clicks come from programs and only fill the database. */
const PER_DAY = { network: 2_000, visitor: 100, coupon: 200_000 };
const KEYS_MAX = 100_000;

interface Visit {
  readonly network: string;
  readonly visitor: string;
  readonly couponId: number;
}

/** Whether one more click may be recorded. The visitor is redirected either way. */
export async function takeFromRecordingLimit(site: Site, visit: Visit): Promise<boolean> {
  const { network } = visit;
  const left = await site.limits.take(`clicks from ${network}`, PER_NETWORK_AND_MINUTE);
  return left.allowed && ceilingsOf(site).take(visit);
}

const ceilingsOf = perSite((site) => new DailyCeilings(site.monotonic));

/** Limits the clicks recorded per network, visitor and coupon in 24 hours, counted per instance. */
class DailyCeilings {
  readonly #monotonic: () => number;
  readonly #networks = new BoundedCounts<string>();
  readonly #visitors = new BoundedCounts<string>();
  readonly #coupons = new BoundedCounts<number>();
  #endsMs = 0;

  constructor(monotonic: () => number) {
    this.#monotonic = monotonic;
  }

  take({ network, visitor, couponId }: Visit): boolean {
    this.#beginDayIfOver();
    const isWithin =
      this.#networks.of(network) < PER_DAY.network &&
      this.#visitors.of(visitor) < PER_DAY.visitor &&
      this.#coupons.of(couponId) < PER_DAY.coupon;
    if (!isWithin) return false;
    this.#networks.add(network);
    this.#visitors.add(visitor);
    this.#coupons.add(couponId);
    return true;
  }

  #beginDayIfOver(): void {
    const nowMs = this.#monotonic();
    if (nowMs < this.#endsMs) return;
    this.#endsMs = nowMs + DAY_MS;
    for (const counts of [this.#networks, this.#visitors, this.#coupons]) counts.clear();
  }
}

/** Counts for at most `KEYS_MAX` keys; a new key evicts the oldest. */
class BoundedCounts<K> {
  readonly #counts = new BoundedMap<K, number>(KEYS_MAX);

  of(key: K): number {
    return this.#counts.get(key) ?? 0;
  }

  add(key: K): void {
    this.#counts.set(key, this.of(key) + 1);
  }

  clear(): void {
    this.#counts.clear();
  }
}
