import { Histogram, type Registry } from 'prom-client';
import type { Log } from '../kernel/log.ts';
import type { Operation } from '../kernel/operation.ts';

const BUCKETS_S = [0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10];

/** Notes every answer: a figure for all, a line for what an operator wants to see. */
export class RequestLog {
  readonly #log: Log;
  readonly #seconds: Histogram<'method' | 'route' | 'status'>;

  constructor(log: Log, metrics: Registry) {
    this.#log = log;
    this.#seconds = new Histogram({
      name: 'tributary_http_request_seconds',
      help: 'Time from a request to its answer, by route and status.',
      labelNames: ['method', 'route', 'status'],
      buckets: BUCKETS_S,
      registers: [metrics],
    });
  }

  note(operation: Operation | null, status: number, ms: number, requestId: string): void {
    const method = operation?.method ?? '-';
    const route = operation?.url ?? 'unknown';
    this.#seconds.observe({ method, route, status }, ms / 1000);
    // Reads would drown everything else: they are told at the level debug.
    const level = operation === null || operation.method === 'GET' ? 'debug' : 'info';
    if (level === 'info' || this.#log.isLevelEnabled('debug')) {
      this.#log[level]({ requestId, method, route, status, ms: Math.round(ms) }, 'answered');
    }
  }
}
