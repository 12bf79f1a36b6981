import { Histogram } from 'prom-client';
import type { Caller } from '../kernel/declare/caller.ts';
import { limitedLogOf } from '../kernel/declare/limited-log.ts';
import type { Log } from '../kernel/declare/log.ts';
import type { Operation } from '../kernel/declare/operation.ts';
import type { Site } from '../kernel/declare/site.ts';
import { causeOf, type LimitedLog } from '../shared/limited-log.ts';
import type { Origin } from './connections/trusted-proxies.ts';

const BUCKETS_S = [0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10];

/** The parts of a request that the log needs. They are null if the request was refused early. */
export interface LoggedRequest {
  readonly id: string;
  readonly operation: Operation | null;
  readonly origin: Origin | null;
  readonly caller: Caller | null;
}

/** Counts every response in a metric, and logs those that matter to an operator. */
export class RequestLog {
  readonly #log: Log;
  readonly #failures: LimitedLog;
  readonly #seconds: Histogram<'method' | 'route' | 'status'>;

  constructor(site: Site) {
    this.#log = site.log;
    this.#failures = limitedLogOf(site);
    this.#seconds = new Histogram({
      name: 'tributary_http_request_seconds',
      help: 'Time from a request to its answer, by route and status.',
      labelNames: ['method', 'route', 'status'],
      buckets: BUCKETS_S,
      registers: [site.metrics],
    });
  }

  note(request: LoggedRequest, status: number, ms: number): void {
    const { operation } = request;
    const labels = {
      method: operation?.method ?? '-',
      route: operation?.url ?? 'unknown',
      status,
    };
    this.#seconds.observe(labels, ms / 1000);
    // Reads would flood the log, so they are logged at debug unless the caller lacks a permission.
    const level =
      (operation !== null && operation.method !== 'GET') || status === 403 ? 'info' : 'debug';
    if (!this.#log.isLevelEnabled(level)) return;
    const facts = {
      requestId: request.id,
      ...labels,
      ms: Math.round(ms),
      ...whoOf(request),
    };
    this.#log[level](facts, 'answered');
  }

  /** Logs a streamed response that ended early: the client disconnected, or producing it failed. */
  noteCut(request: LoggedRequest, error: unknown): void {
    const route = request.operation?.url;
    const facts = { err: error, requestId: request.id, route, ...whoOf(request) };
    // `pipeline` rejects with errors of Node, which have a code, or with errors of the body.
    const left = (error as NodeJS.ErrnoException).code === 'ERR_STREAM_PREMATURE_CLOSE';
    if (left) return this.#log.debug(facts, 'a client left before its response was complete');
    const cause = `answer ${causeOf(error)}`;
    this.#failures.error(cause, facts, 'an answer was cut off: it could not be made to its end');
  }
}

/** The log fields for user, key and address; empty for a request that was refused early. */
export function whoOf({ origin, caller }: Pick<LoggedRequest, 'origin' | 'caller'>) {
  return {
    ...(origin && { address: origin.address }),
    ...(caller?.person && { user_id: caller.person.id, by: caller.method }),
    ...(caller?.keyId && { key_id: caller.keyId }),
  };
}
