import { Counter, Histogram, type Registry } from 'prom-client';
import type { Log } from '../kernel/log.ts';
import type { Operation } from '../kernel/operation.ts';

const BUCKETS_S = [0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10];

/** Plain numbers while requests run; they become metrics when somebody asks. */
interface RouteFigures {
  labels: { method: string; route: string };
  answers: Map<number, number>;
  buckets: number[];
  seconds: number;
}

/** Notes every answer: figures for all, a line for what an operator wants to see. */
export class RequestLog {
  readonly #log: Log;
  readonly #figures = new Map<Operation | null, RouteFigures>();

  constructor(log: Log, metrics: Registry) {
    this.#log = log;
    this.#expose(metrics);
  }

  note(operation: Operation | null, status: number, ms: number, requestId: string): void {
    const figures = this.#figures.get(operation) ?? this.#open(operation);
    figures.answers.set(status, (figures.answers.get(status) ?? 0) + 1);
    const seconds = ms / 1000;
    figures.seconds += seconds;
    const bucket = BUCKETS_S.findIndex((limit) => seconds <= limit);
    figures.buckets[bucket === -1 ? BUCKETS_S.length : bucket]! += 1;
    // Reads would drown everything else: they are told at the level debug.
    const level = operation && operation.method !== 'GET' ? 'info' : 'debug';
    this.#log[level]({ requestId, ...figures.labels, status, ms: Math.round(ms) }, 'answered');
  }

  #open(operation: Operation | null): RouteFigures {
    const figures = {
      labels: {
        method: operation?.method ?? '-',
        route: operation ? `${operation.namespace}${operation.path}` : 'unknown',
      },
      answers: new Map<number, number>(),
      buckets: Array<number>(BUCKETS_S.length + 1).fill(0),
      seconds: 0,
    };
    this.#figures.set(operation, figures);
    return figures;
  }

  #expose(metrics: Registry): void {
    const all = () => this.#figures.values();
    new Counter({
      name: 'tributary_http_requests_total',
      help: 'Answers by route and status.',
      labelNames: ['method', 'route', 'status'],
      registers: [metrics],
      collect() {
        this.reset();
        for (const { labels, answers } of all()) {
          for (const [status, n] of answers) this.inc({ ...labels, status }, n);
        }
      },
    });
    metrics.registerMetric(durations(all) as never);
  }
}

/** A histogram over figures that are counted already. */
function durations(all: () => Iterable<RouteFigures>): Histogram {
  const histogram = new Histogram({
    name: 'tributary_http_request_seconds',
    help: 'Time from a request to its answer.',
    labelNames: ['method', 'route'],
    buckets: BUCKETS_S,
    registers: [],
  });
  histogram.get = async () => ({
    ...(histogram as unknown as { name: string; help: string; aggregator: string }),
    type: 'histogram' as never,
    values: [...all()].flatMap(toHistogramValues),
  }) as never;
  return histogram;
}

function toHistogramValues({ labels, buckets, seconds }: RouteFigures) {
  const name = 'tributary_http_request_seconds';
  let sum = 0;
  const values: { metricName: string; labels: object; value: number }[] = buckets.map((n, i) => ({
    metricName: `${name}_bucket`,
    labels: { ...labels, le: BUCKETS_S[i] ?? '+Inf' },
    value: (sum += n),
  }));
  values.push({ metricName: `${name}_sum`, labels, value: seconds });
  values.push({ metricName: `${name}_count`, labels, value: sum });
  return values;
}
