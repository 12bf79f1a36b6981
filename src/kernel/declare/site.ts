import type { Registry as MetricsRegistry } from 'prom-client';
import type { Database } from '../../db/database.ts';
import type { SiteCalendar } from '../../shared/dates.ts';
import type { Currency } from '../../shared/money.ts';
import type { Keyring } from '../../shared/secrets.ts';
import type { Log } from './log.ts';

export type Edition = 'free' | 'pro';

/**
 * An opened installation: what operations, jobs and commands work with. This file imports no part of the
 * kernel that needs a `Site` itself. A property of such a type (`registry`, `settings`, `extensions`,
 * `worker`, `limits`) is declared beside the type and merged into this interface: no import cycle.
 */
export interface Site {
  readonly database: Database;
  readonly calendar: SiteCalendar;
  readonly currency: Currency;
  readonly edition: Edition;
  readonly publicUrl: string;
  /** The self-signed certificate of the public address; null for any other certificate. */
  readonly ownCertificateFile: string | null;
  readonly keyring: Keyring;
  /** The configuration that modules declare; `configOf` reads it by section. */
  readonly config: Readonly<Record<string, unknown>>;
  readonly log: Log;
  /** Access to the metrics: by token, from processes on this machine, or not at all. */
  readonly metricsAccess: { readonly token: string; readonly isOpenToMachine: boolean };
  /** Metrics for Prometheus. */
  readonly metrics: MetricsRegistry;
  /** The certificate that is served; undefined where a proxy serves it, and in commands. */
  readonly certificate: { daysLeft(): number } | undefined;
  /** Shutting down: it still serves, until load balancers have noticed that `/readyz` is 503. */
  readonly isStopping: boolean;
  /** Calendar time in milliseconds. It jumps when the system clock is set. */
  readonly clock: () => number;
  /** Milliseconds of a clock that never jumps: for windows and waits that live in memory. */
  readonly monotonic: () => number;
  /** Empties the caches of people, credentials and totals. Call it after such a change is committed. */
  invalidateCaches(): void;
  onInvalidateCaches(listener: () => void): void;
}

/** A value per site, such as a cache or a queue, created on first use. */
export function perSite<T>(create: (site: Site) => T): (site: Site) => T {
  const values = new WeakMap<Site, T>();
  return (site) => {
    let value = values.get(site);
    if (value === undefined) values.set(site, (value = create(site)));
    return value;
  };
}
