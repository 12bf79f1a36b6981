import { setTimeout as sleep } from 'node:timers/promises';
import type { Reader, Transaction } from '../../db/database.ts';
import { causeOf } from '../../shared/limited-log.ts';
import { randomBase62 } from '../../shared/secrets.ts';
import type { Caller } from '../declare/caller.ts';
import { defineError } from '../declare/errors.ts';
import { limitedLogOf } from '../declare/limited-log.ts';
import { HttpResponse, type Operation, type RequestFacts } from '../declare/operation.ts';
import { contextOf, runOperation } from './run-operation.ts';
import { perSite, type Site } from '../declare/site.ts';

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
  /** How long its answer is repeated. */
  readonly keptMs: number;
}

/** An answer as it was sent, to the byte. */
export interface KeptAnswer {
  readonly status: number;
  readonly headers: Record<string, string | string[]>;
  readonly body: string;
}

/**
 * A key that is reserved while its request runs outside of a transaction. The name is random: a
 * reservation that has lapsed and was taken by another process is not touched.
 */
export interface Reservation {
  readonly name: string;
  readonly lastsMs: number;
}

/** Where first answers are kept. A module provides it. */
export interface KeptAnswers {
  /** The answer to the same request; refuses another one under the same key. */
  find(db: Reader, site: Site, request: KeyedRequest): Promise<KeptAnswer | undefined>;
  /** Throws `AlreadyKept` when another process was quicker. */
  keep(
    tx: Transaction,
    site: Site,
    request: KeyedRequest,
    answer: KeptAnswer,
    reservation?: Reservation,
  ): Promise<void>;
  /** Reserves the key, or renews the reservation; false where it is reserved by another or answered. */
  reserve(
    tx: Transaction,
    site: Site,
    request: KeyedRequest,
    reservation: Reservation,
  ): Promise<boolean>;
  release(
    tx: Transaction,
    site: Site,
    request: KeyedRequest,
    reservation: Reservation,
  ): Promise<void>;
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

const DAY_MS = 24 * 60 * 60_000;
/** For answers with a secret that is shown once. */
const SECRET_KEPT_MS = 10 * 60_000;

/** A call as the kernel runs it, with the key that it carries. */
interface KeyedCall {
  readonly operation: Operation;
  readonly site: Site;
  readonly caller: Caller;
  readonly facts: RequestFacts;
  readonly request: KeyedRequest;
  readonly answers: KeptAnswers;
}

/**
 * Runs an operation unless its answer is there already. Of requests with the same key that arrive at
 * the same time, in this process or in others, one is carried out and the others wait for its answer.
 * A refusal is not kept, since it changed nothing: the next request is carried out then.
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
  const request: KeyedRequest = {
    identity: caller.identity,
    route: routeOf(operation, input),
    // All strangers are one identity; their addresses keep them apart.
    key: caller.kind === 'anonymous' ? `${facts.address} ${key}` : key,
    input,
    keptMs: operation.secretAnswer ? SECRET_KEPT_MS : DAY_MS,
  };
  const call = { operation, site, caller, facts, request, answers };
  const attempt = () =>
    operation.transaction === false ? runReserved(call) : runInTransaction(call);
  // In this process one at a time: those that wait hold no connection.
  return inTurn(site, nameOf(request), () => attempt().catch(orAgain(attempt)));
}

/**
 * Change and answer are committed together: however the process ends, a repeated request neither
 * misses nor doubles the change. The lock makes other instances wait until then.
 */
async function runInTransaction(call: KeyedCall): Promise<HttpResponse> {
  const { operation, site, caller, facts, request, answers } = call;
  if (operation.prepare) {
    // What is there already needs no preparation, such as hashing a password.
    const kept = await answers.find(site.database.read, site, request);
    if (kept) return replay(kept);
  }
  const prepared = await operation.prepare?.(request.input, site, facts);
  return site.database.transaction(async (tx) => {
    await tx.lock(nameOf(request));
    const kept = await answers.find(tx, site, request);
    if (kept) return replay(kept);
    const context = { ...contextOf(tx, site, caller, facts), prepared };
    const answer = written(operation, await operation.handle(context, request.input));
    if (answer.status < 400) await answers.keep(tx, site, request, answer);
    return toAnswer(answer);
  });
}

/** A reservation that is not renewed lapses: its process has died, and the next one may run. */
const RESERVED_MS = 10_000;
const RENEW_MS = 3_000;
const POLL_MS = 50;

/**
 * For an operation that commits by itself, such as one that calls a gateway in between. The key is
 * reserved first, so that other instances wait. The answer is committed right after the change: a
 * process that is killed between the two loses the answer, not the change.
 */
async function runReserved(call: KeyedCall): Promise<HttpResponse> {
  const { operation, site, caller, facts, request, answers } = call;
  const { database } = site;
  const reservation = { name: randomBase62(16), lastsMs: RESERVED_MS };
  const reserve = () =>
    database.transaction((tx) => answers.reserve(tx, site, request, reservation));
  for (;;) {
    const kept = await answers.find(database.read, site, request);
    if (kept) return replay(kept);
    if (await reserve()) break;
    await sleep(POLL_MS);
  }
  const warn = (err: unknown) =>
    limitedLogOf(site).warn(
      `reservation ${causeOf(err)}`,
      { err },
      'the reservation of an Idempotency-Key could not be renewed or released',
    );
  let renewal: Promise<unknown> = Promise.resolve();
  const renewing = setInterval(() => (renewal = reserve().catch(warn)), RENEW_MS);
  let isKept = false;
  try {
    const result = await runOperation(operation, site, caller, facts, request.input);
    const answer = written(operation, result);
    if (answer.status < 400) {
      await database.transaction((tx) => answers.keep(tx, site, request, answer, reservation));
      isKept = true;
    }
    return toAnswer(answer);
  } finally {
    clearInterval(renewing);
    // A renewal under way would reserve again what is released.
    await renewal;
    if (!isKept) {
      await database
        .transaction((tx) => answers.release(tx, site, request, reservation))
        .catch(warn);
    }
  }
}

function nameOf({ identity, route, key }: KeyedRequest): string {
  return `Idempotency-Key ${identity} ${route} ${key}`;
}

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
  const answer = result instanceof HttpResponse ? result : new HttpResponse(result);
  return {
    status: answer.status ?? operation.status ?? 200,
    headers: answer.headers,
    body: typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body),
  };
}

function toAnswer({ status, headers, body }: KeptAnswer): HttpResponse {
  return new HttpResponse(body, { status, headers });
}

function replay(kept: KeptAnswer): HttpResponse {
  return toAnswer({ ...kept, headers: { ...kept.headers, 'idempotent-replayed': 'true' } });
}
