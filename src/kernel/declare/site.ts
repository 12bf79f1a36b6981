import type { Registry as MetricsRegistry } from 'prom-client';
import type { Database } from '../../db/database.ts';
import type { SiteCalendar } from '../../shared/dates.ts';
import type { Currency } from '../../shared/money.ts';
import type { Keyring } from '../../shared/secrets.ts';
import type { Extensions } from './extension.ts';
import type { Log } from './log.ts';

export type Edition = 'free' | 'pro';

/**
 * An opened installation: what operations, jobs and commands work with. This file imports no other part
 * of the kernel that needs a `Site`. A property whose type does is declared beside that type
 * (`registry`, `settings`, `worker`, `limits`) and merged into this interface, so that imports form no
 * cycle.
 */
export interface Site {
  readonly database: Database;
  readonly calendar: SiteCalendar;
  readonly currency: Currency;
  readonly edition: Edition;
  readonly publicUrl: string;
  /** The certificate that the public address has, where it was made here and only we vouch for it. */
  readonly ownCertificateFile: string | null;
  readonly keyring: Keyring;
  readonly extensions: Extensions;
  /** The configuration that modules declare; `configOf` reads it by section. */
  readonly config: Readonly<Record<string, unknown>>;
  readonly log: Log;
  /** Who may read these figures: the holders of a token, processes on this machine, or no one. */
  readonly metricsAccess: { readonly token: string; readonly isOpenToMachine: boolean };
  /** Figures for Prometheus. */
  readonly metrics: MetricsRegistry;
  /** The certificate that is served; undefined where a proxy serves it, and in commands. */
  readonly certificate: { daysLeft(): number } | undefined;
  /** It is to stop, and goes on only until whoever sends requests knows. */
  readonly isStopping: boolean;
  /** Calendar time in milliseconds. It jumps whenever the system clock is set. */
  readonly clock: () => number;
  /** Milliseconds by a clock that is never set: for windows and waits that live in memory. */
  readonly monotonic: () => number;
  /** Tells every cache of people and credentials to forget: call it once such a change is committed. */
  invalidateCaches(): void;
  onInvalidateCaches(listener: () => void): void;
}

/** A value that lives as long as a site and belongs to it: caches, queues. */
export function perSite<T>(create: (site: Site) => T): (site: Site) => T {
  const values = new WeakMap<Site, T>();
  return (site) => {
    let value = values.get(site);
    if (value === undefined) values.set(site, (value = create(site)));
    return value;
  };
}
