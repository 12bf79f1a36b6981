import type { Reader, Transaction } from '../db/database.ts';
import type { Caller } from './caller.ts';
import { defineError } from './errors.ts';
import { Answer, type Operation, type RequestFacts } from './operation.ts';
import { contextOf, runOperation } from './run-operation.ts';
import { perSite, type Site } from './site.ts';

export const idempotencyMismatch = defineError(
  'svc_api_idempotency_mismatch',
  409,
  'This Idempotency-Key was used for another request already.',
);

/** A request that carries a key: whose it is, what it asks, and under which name it is kept. */
export interface KeyedRequest {
  readonly identity: string;
  /** `POST /svc/v2/keys`: the same key elsewhere is another one. */
  readonly route: string;
  readonly key: string;
  readonly input: Record<string, unknown>;
}

/** An answer as it was sent, to the byte. */
export interface KeptAnswer {
  readonly status: number;
  readonly headers: Record<string, string | string[]>;
  readonly body: string;
}

/** Where first answers are kept. A module provides it. */
export interface KeptAnswers {
  /** The answer to the same request; refuses another one under the same key. */
  find(db: Reader, site: Site, request: KeyedRequest): Promise<KeptAnswer | undefined>;
  /** Throws `AlreadyKept` when another one was quicker. */
  keep(tx: Transaction, site: Site, request: KeyedRequest, answer: KeptAnswer): Promise<void>;
}

export class AlreadyKept extends Error {
  override name = 'AlreadyKept';
}

/** Whether the header `Idempotency-Key` means something there. */
export function takesIdempotencyKey(operation: Operation): boolean {
  return operation.method === 'POST' && operation.namespace !== 'site';
}

const keptAnswersOf = perSite(
  (site) => site.registry.modules.find((module) => module.keptAnswers)?.keptAnswers,
);

/**
 * Runs an operation unless its answer is there already. Change and answer are committed together:
 * however the process ends, a repeated request neither misses nor doubles the change. A refusal
 * is not kept, since it changed nothing.
 */
export async function runOnce(
  key: string,
  operation: Operation,
  site: Site,
  caller: Caller,
  facts: RequestFacts,
  input: Record<string, unknown>,
): Promise<unknown> {
  const answers = keptAnswersOf(site);
  if (!answers) return runOperation(operation, site, caller, facts, input);
  const request = {
    identity: caller.identity,
    route: routeOf(operation, input),
    // All strangers are one identity; their addresses keep them apart.
    key: caller.kind === 'anonymous' ? `${facts.address} ${key}` : key,
    input,
  };

  const answered = async (db: Reader, run: () => unknown, keep: Keep) => {
    const kept = await answers.find(db, site, request);
    if (kept) return replay(kept);
    const answer = written(operation, await run());
    if (answer.status < 400) await keep((tx) => answers.keep(tx, site, request, answer));
    return toAnswer(answer);
  };

  if (operation.transaction === false) {
    // It commits by itself, and its answer right after in a transaction of its own: a process that
    // is killed between the two loses the answer, not the change.
    const attempt = () =>
      answered(
        site.database.read,
        () => runOperation(operation, site, caller, facts, input),
        (keep) => site.database.transaction(keep),
      );
    return inTurn(site, `${request.identity} ${request.route} ${request.key}`, () =>
      attempt().catch(orAgain(attempt)),
    );
  }
  const prepared = await operation.prepare?.(input, site, facts);
  const attempt = () =>
    site.database.transaction((tx) =>
      answered(
        tx,
        () => operation.handle({ ...contextOf(tx, site, caller, facts), prepared }, input),
        (keep) => keep(tx),
      ),
    );
  return attempt().catch(orAgain(attempt));
}

type Keep = (keep: (tx: Transaction) => Promise<void>) => Promise<void>;

const queues = perSite(() => new Map<string, Promise<unknown>>());

/** One after the other among those of the same name. */
async function inTurn<T>(site: Site, name: string, work: () => Promise<T>): Promise<T> {
  const queue = queues(site);
  const before = queue.get(name) ?? Promise.resolve();
  const mine = before.then(work, work);
  queue.set(name, mine);
  try {
    return await mine;
  } finally {
    if (queue.get(name) === mine) queue.delete(name);
  }
}

/** Another process was quicker: now its answer is there. */
function orAgain<T>(attempt: () => Promise<T>): (error: unknown) => Promise<T> {
  return (error) => {
    if (!(error instanceof AlreadyKept)) throw error;
    return attempt();
  };
}

/** With the checked values of its parameters, however the caller has written them. */
function routeOf(operation: Operation, input: Record<string, unknown>): string {
  const path = operation.url.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(input[name])),
  );
  return `${operation.method} ${path}`;
}

function written(operation: Operation, result: unknown): KeptAnswer {
  const answer = result instanceof Answer ? result : new Answer(result);
  return {
    status: answer.status ?? operation.status ?? 200,
    headers: answer.headers,
    body: typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body),
  };
}

function toAnswer({ status, headers, body }: KeptAnswer): Answer {
  return new Answer(body, { status, headers });
}

function replay(kept: KeptAnswer): Answer {
  return toAnswer({ ...kept, headers: { ...kept.headers, 'idempotent-replayed': 'true' } });
}
