import { perSite, type Site } from '../../kernel/declare/site.ts';
import { BoundedMap } from '../../shared/bounded-map.ts';

const CACHED_MAX = 200;

interface CachedReport<T> {
  readonly report: Promise<T>;
  /** On the monotonic clock. */
  readonly computedAtMs: number;
  /** On the system clock. */
  readonly generatedMs: number;
}

/** Keeps computed figures for some time. Concurrent requests share one computation; a failed one is removed. */
export class ReportCache<T> {
  readonly #maxAgeMs: number;
  readonly #reports: (site: Site) => BoundedMap<string, CachedReport<T>>;

  /** @param cachedMax How many reports are kept. */
  constructor(maxAgeMs: number, cachedMax = CACHED_MAX) {
    this.#maxAgeMs = maxAgeMs;
    this.#reports = perSite(() => new BoundedMap(cachedMax));
  }

  /** The cached report, or a new one. */
  find(site: Site, key: string, nowMs: number, compute: () => Promise<T>): Promise<T> {
    return this.fresh(site, key, nowMs) ?? this.compute(site, key, nowMs, compute);
  }

  /** A report from the future is stale: the system clock was set back since. */
  fresh(site: Site, key: string, nowMs: number): Promise<T> | undefined {
    const cached = this.#reports(site).get(key);
    if (!cached || cached.generatedMs > nowMs) return undefined;
    return site.monotonic() - cached.computedAtMs < this.#maxAgeMs ? cached.report : undefined;
  }

  compute(site: Site, key: string, nowMs: number, compute: () => Promise<T>): Promise<T> {
    const reports = this.#reports(site);
    const report = compute();
    reports.set(key, { report, computedAtMs: site.monotonic(), generatedMs: nowMs });
    report.catch(() => reports.delete(key));
    return report;
  }
}
