import { perSite, type Site } from './site.ts';

/** A metric for Prometheus. Dashboards and alert rules depend on its name and labels. */
export interface MetricDefinition {
  readonly name: string;
  readonly type: 'gauge' | 'counter';
  readonly help: string;
  readonly labels: readonly string[];
}

export interface Sample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/**
 * Metrics of a module that are read together when Prometheus scrapes. `read` must be cheap for any number
 * of rows: it uses indexed queries with a limit, or sums that are stored anyway.
 */
export interface MetricSource {
  readonly metrics: readonly MetricDefinition[];
  read(site: Site): Promise<ReadonlyMap<MetricDefinition, readonly Sample[]>>;
}

/** A number, samples with labels, or undefined where this installation has no such metric. */
type Reading = number | readonly Sample[] | undefined;

export function gauge(name: string, help: string, labels: readonly string[] = []) {
  return { name, type: 'gauge', help, labels } satisfies MetricDefinition;
}

export function counter(name: string, help: string, labels: readonly string[] = []) {
  return { name, type: 'counter', help, labels } satisfies MetricDefinition;
}

/** `read` returns a reading under the key of each metric. */
export function defineMetrics<K extends string>(
  metrics: Record<K, MetricDefinition>,
  read: (site: Site) => Promise<Record<K, Reading>> | Record<K, Reading>,
): MetricSource {
  // `Object.entries` widens the keys to string.
  const entries = Object.entries(metrics) as [K, MetricDefinition][];
  return {
    metrics: entries.map(([, metric]) => metric),
    async read(site) {
      const readings = await read(site);
      return new Map(entries.map(([key, metric]) => [metric, samplesOf(readings[key])]));
    },
  };
}

function samplesOf(reading: Reading): readonly Sample[] {
  if (reading === undefined) return [];
  return typeof reading === 'number' ? [{ labels: {}, value: reading }] : reading;
}

/** A counter in memory. It starts at zero with the process. */
export interface CounterMetric<L extends string> extends MetricSource {
  increment(site: Site, labels: Readonly<Record<L, string>>, by?: number): void;
}

/**
 * `start` lists the series that exist from the beginning, because Prometheus registers the first failure
 * as an increase only if it has scraped a zero before.
 */
export function defineCounter<L extends string>(
  definition: { name: string; help: string; labels: readonly L[] },
  start: readonly Readonly<Record<L, string>>[] = [],
): CounterMetric<L> {
  const metric = counter(definition.name, definition.help, definition.labels);
  const seriesOf = perSite(
    () => new Map(start.map((labels) => [keyOf(labels), { labels, value: 0 }])),
  );
  return {
    metrics: [metric],
    read: async (site) => new Map([[metric, [...seriesOf(site).values()]]]),
    increment(site, labels, by = 1) {
      const series = seriesOf(site).get(keyOf(labels)) ?? { labels, value: 0 };
      series.value += by;
      seriesOf(site).set(keyOf(labels), series);
    },
  };
}

/** Sorted by label name, so that the order of the labels at the call site does not matter. */
const keyOf = (labels: Readonly<Record<string, string>>): string =>
  JSON.stringify(Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1)));

/** Metrics stop counting rows here, because a count in SQLite blocks the event loop. */
export const COUNTED_MAX = 100_000;

/** Seconds since `dueMs`; 0 if that is in the future, or if there is nothing due. */
export function secondsLate(site: Site, dueMs: number | null | undefined): number {
  return typeof dueMs === 'number' ? Math.max(0, (site.clock() - dueMs) / 1000) : 0;
}
