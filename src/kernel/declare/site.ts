import type { Registry as MetricsRegistry } from 'prom-client';
import type { Database } from '../../db/database.ts';
import type { SiteCalendar } from '../../shared/dates.ts';
import type { Currency } from '../../shared/money.ts';
import type { Keyring } from '../../shared/secrets.ts';
import type { Log } from './log.ts';

export type Edition = 'free' | 'pro';

/**
 * An open installation, which operations, jobs and commands work with. To avoid import cycles, this file
 * imports no part of the kernel that needs a `Site` itself: a property of such a type (`registry`,
 * `settings`, `extensions`, `worker`, `limits`) is declared beside the type and merged into this interface.
 */
export interface Site {
  readonly database: Database;
  readonly calendar: SiteCalendar;
  readonly currency: Currency;
  readonly edition: Edition;
  readonly publicUrl: string;
  /** The file of the self-signed certificate for the public address; null for any other certificate. */
  readonly ownCertificateFile: string | null;
  /** Holds uploaded files, unless they are in a bucket. */
  readonly filesFolder: string;
  readonly keyring: Keyring;
  /** The configuration that modules declare; `configOf` reads it by section. */
  readonly config: Readonly<Record<string, unknown>>;
  readonly log: Log;
  /** Access to the metrics: with the token, from processes on this machine, or disabled. */
  readonly metricsAccess: { readonly token: string; readonly isOpenToMachine: boolean };
  readonly metrics: MetricsRegistry;
  /** The certificate that is served; undefined in commands, and where a proxy terminates TLS. */
  readonly certificate: { daysLeft(): number } | undefined;
  /** True while it shuts down. It still serves requests until load balancers see the 503 of `/readyz`. */
  readonly isStopping: boolean;
  /** Unix time in milliseconds. It jumps when the system clock is set. */
  readonly clock: () => number;
  /** Milliseconds of a clock that never jumps, for windows and waits that exist in memory only. */
  readonly monotonic: () => number;
  /** Empties the caches of users, credentials and totals. Call it after a change to them is committed. */
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
