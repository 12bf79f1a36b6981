import { setTimeout as sleep } from 'node:timers/promises';
import { contextOf, prepareOperation, runOperation } from '../../kernel/call/run-operation.ts';
import { HttpResponse } from '../../kernel/declare/http-response.ts';
import { limitedLogOf } from '../../kernel/declare/limited-log.ts';
import type { KeyedCall, RunOnce } from '../../kernel/declare/module.ts';
import type { Operation } from '../../kernel/declare/operation.ts';
import { perSite, type Site } from '../../kernel/declare/site.ts';
import { DAY_MS } from '../../shared/durations.ts';
import { causeOf } from '../../shared/limited-log.ts';
import { randomBase62 } from '../../shared/secrets.ts';
import {
  AlreadyStoredError,
  type KeyedRequest,
  type StoredResponse,
  type StoredResponses,
} from './stored-responses.ts';

/** How long a response with a secret, such as a new API key, is stored. */
const SECRET_STORED_MS = 10 * 60_000;

interface Run {
  readonly call: KeyedCall;
  readonly request: KeyedRequest;
  readonly responses: StoredResponses;
}

/**
 * Runs an operation unless a response to the same request is stored. Of requests with the same key that
 * arrive at the same time, on any instance, one runs and the others wait for its response. A refusal is
 * not stored, because it changed nothing: the next request runs.
 */
export function runOnceWith(responses: StoredResponses): RunOnce {
  return (call) => {
    const request = requestOf(call);
    const run = { call, request, responses };
    const attempt = () =>
      call.operation.transaction === false ? runReserved(run) : runInTransaction(run);
    // Requests of this process queue here, because a waiting transaction would hold a connection.
    return runOneAtATime(call.site, nameOf(request), () => attempt().catch(orRetry(attempt)));
  };
}

function requestOf({ key, operation, caller, facts, input }: KeyedCall): KeyedRequest {
  return {
    identity: caller.identity,
    route: routeOf(operation, input),
    // Anonymous callers share one identity, so their keys include their address.
    key: caller.kind === 'anonymous' ? `${facts.address} ${key}` : key,
    input,
    storedMs: operation.secretAnswer ? SECRET_STORED_MS : DAY_MS,
  };
}

/**
 * Change and response are committed together: however the process ends, a repeated request neither
 * misses nor doubles the change. The lock makes other instances wait until then.
 */
async function runInTransaction({ call, request, responses }: Run): Promise<HttpResponse> {
  const { operation, site, caller, facts } = call;
  if (operation.prepare) {
    // A replay needs no preparation, which may be as slow as hashing a password.
    const stored = await responses.find(site.database.read, site, request);
    if (stored) return replay(stored);
  }
  const prepared = await prepareOperation(operation, site, caller, facts, request.input);
  return site.database.transaction(async (tx) => {
    await tx.lock(nameOf(request));
    const stored = await responses.find(tx, site, request);
    if (stored) return replay(stored);
    const context = { ...contextOf(tx, site, caller, facts), prepared };
    const response = toStored(operation, await operation.handle(context, request.input));
    if (response.status < 400) await responses.store(tx, site, request, response);
    return toResponse(response);
  });
}

/** A reservation that is not renewed lapses: its process has died, and the next request may run. */
const RESERVED_MS = 10_000;
const RENEW_MS = 3_000;
const POLL_MS = 50;
const RELEASE_EVERY_MS = 250;

/**
 * Runs an operation that commits its own transactions, such as one that calls a payment gateway between two
 * transactions. The key is reserved first, so that other instances wait. The response is committed right
 * after the change: a process that is killed between the two loses the response, not the change.
 */
async function runReserved({ call, request, responses }: Run): Promise<HttpResponse> {
  const { operation, site, caller, facts } = call;
  const { database } = site;
  const reservation = { name: randomBase62(16), lastsMs: RESERVED_MS };
  const reserve = () =>
    database.transaction((tx) => responses.reserve(tx, site, request, reservation));
  for (;;) {
    const stored = await responses.find(database.read, site, request);
    if (stored) return replay(stored);
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
  const timer = setInterval(() => void (renewal = reserve().catch(warn)), RENEW_MS);
  let isStored = false;
  try {
    const result = await runOperation(operation, site, caller, facts, request.input);
    const response = toStored(operation, result);
    if (response.status < 400) {
      await database.transaction((tx) => responses.store(tx, site, request, response, reservation));
      isStored = true;
    }
    return toResponse(response);
  } finally {
    clearInterval(timer);
    // A renewal that is still running would reserve the key again after its release.
    await renewal;
    const release = () =>
      database.transaction((tx) => responses.release(tx, site, request, reservation));
    if (!isStored) await release().catch(() => void releaseLater(release).catch(warn));
  }
}

/** While the database is away. A repeated request would otherwise wait until the reservation lapses. */
async function releaseLater(release: () => Promise<void>): Promise<void> {
  for (const endMs = performance.now() + RESERVED_MS; ;) {
    await sleep(RELEASE_EVERY_MS, undefined, { ref: false });
    try {
      return await release();
    } catch (error) {
      if (performance.now() > endMs) throw error;
    }
  }
}

function nameOf({ identity, route, key }: KeyedRequest): string {
  return `Idempotency-Key ${identity} ${route} ${key}`;
}

const queues = perSite(() => new Map<string, Promise<unknown>>());

/** Runs work of the same name one after the other. */
async function runOneAtATime<T>(site: Site, name: string, work: () => Promise<T>): Promise<T> {
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

/** Another instance has stored a response in the meantime; the second attempt finds it. */
function orRetry<T>(attempt: () => Promise<T>): (error: unknown) => Promise<T> {
  return (error) => {
    if (!(error instanceof AlreadyStoredError)) throw error;
    return attempt();
  };
}

/** Contains the checked values of the path parameters, so that their spelling does not matter. */
function routeOf(operation: Operation, input: Record<string, unknown>): string {
  const path = operation.url.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(input[name])),
  );
  return `${operation.method} ${path}`;
}

function toStored(operation: Operation, result: unknown): StoredResponse {
  const response = result instanceof HttpResponse ? result : new HttpResponse(result);
  return {
    status: response.status ?? operation.status ?? 200,
    headers: response.headers,
    body: typeof response.body === 'string' ? response.body : JSON.stringify(response.body),
  };
}

function toResponse({ status, headers, body }: StoredResponse): HttpResponse {
  return new HttpResponse(body, { status, headers });
}

function replay(stored: StoredResponse): HttpResponse {
  return toResponse({ ...stored, headers: { ...stored.headers, 'idempotent-replayed': 'true' } });
}
