import { Counter, Gauge, Registry } from 'prom-client';
import { limitedLogOf } from '../../kernel/declare/limited-log.ts';
import {
  gauge,
  type MetricDefinition,
  type MetricSource,
  type Sample,
} from '../../kernel/declare/metric.ts';
import { perSite, type Site } from '../../kernel/declare/site.ts';
import { causeOf } from '../../shared/limited-log.ts';

/** Scrapes within this time share one reading, so that frequent scrapes do not load the database. */
const READING_LASTS_MS = 5_000;
/** A source that takes longer is left out, so that the others are available while a database hangs. */
const READ_MS_MAX = 2_000;

type Samples = ReadonlyMap<MetricDefinition, readonly Sample[]>;

const unread = gauge(
  'tributary_metrics_unread',
  'Number of metric sources that could not be read in this scrape; their metrics are missing.',
);

/** Reads the metrics of the active modules. */
class Collector {
  readonly #site: Site;
  /** Reads in progress, so that scrapes do not start one again that hangs. */
  readonly #reading = new Map<MetricSource, Promise<Samples>>();
  #text: Promise<string> | undefined;
  #readMs = -Infinity;
  #revision = -1;

  constructor(site: Site) {
    this.#site = site;
  }

  text(): Promise<string> {
    const nowMs = this.#site.monotonic();
    const { revision } = this.#site.registry;
    const isCurrent = nowMs - this.#readMs < READING_LASTS_MS && revision === this.#revision;
    if (this.#text === undefined || !isCurrent) {
      this.#readMs = nowMs;
      this.#revision = revision;
      this.#text = this.#collect();
    }
    return this.#text;
  }

  async #collect(): Promise<string> {
    const modules = this.#site.registry.activeModules();
    const sources = modules.flatMap((module) => module.metrics ?? []);
    const results = await Promise.all(sources.map((source) => this.#readInTime(source)));
    const registry = new Registry();
    for (const samples of results) {
      for (const [metric, values] of samples ?? []) addTo(registry, metric, values);
    }
    const missing = results.filter((samples) => samples === undefined).length;
    addTo(registry, unread, [{ labels: {}, value: missing }]);
    return registry.metrics();
  }

  async #readInTime(source: MetricSource): Promise<Samples | undefined> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      const error = new Error(`Reading the metrics took longer than ${READ_MS_MAX} ms`);
      timer = setTimeout(() => reject(error), READ_MS_MAX).unref();
    });
    try {
      return await Promise.race([this.#read(source), late]);
    } catch (error) {
      const metrics = source.metrics.map(({ name }) => name);
      const cause = `metrics ${metrics[0]} ${causeOf(error)}`;
      limitedLogOf(this.#site).warn(cause, { err: error, metrics }, 'metrics could not be read');
      return undefined;
    } finally {
      clearTimeout(timer);
    }
  }

  #read(source: MetricSource): Promise<Samples> {
    const running = this.#reading.get(source);
    if (running) return running;
    const reading = source.read(this.#site).finally(() => this.#reading.delete(source));
    this.#reading.set(source, reading);
    return reading;
  }
}

function addTo(registry: Registry, metric: MetricDefinition, samples: readonly Sample[]): void {
  const { name, help, labels } = metric;
  const options = { name, help, labelNames: [...labels], registers: [registry] };
  if (metric.type === 'gauge') {
    const created = new Gauge(options);
    // prom-client starts a gauge without labels at zero, which would look like a reading.
    if (labels.length === 0) created.remove();
    for (const sample of samples) created.set(sample.labels, sample.value);
  } else {
    const created = new Counter(options);
    for (const sample of samples) created.inc(sample.labels, sample.value);
  }
}

const collectorOf = perSite((site) => new Collector(site));

/** All metrics in the Prometheus text format. Those of modules are at most a few seconds old. */
export async function metricsText(site: Site): Promise<string> {
  const [ofProcess, ofModules] = await Promise.all([
    site.metrics.metrics(),
    collectorOf(site).text(),
  ]);
  return ofProcess + ofModules;
}
