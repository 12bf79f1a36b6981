import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import Type from 'typebox';
import { Agent } from 'undici';
import type { App } from '../src/app.ts';
import { invoke } from '../src/kernel/call/invoke.ts';
import { defineEvent } from '../src/kernel/declare/event.ts';
import { emit } from '../src/modules/events/index.ts';
import { createKey } from '../src/modules/keys/index.ts';
import { changeSettings } from '../src/modules/settings/index.ts';
import { createUser } from '../src/modules/users/index.ts';
import {
  makeSigningSecret,
  messageBody,
  messageId,
  signedHeaders,
} from '../src/shared/standard-webhooks.ts';
import { openStore, type Engine, type OwnStore, type Store } from './engine.ts';
import { each, load } from './load.ts';
import { isWanted, options } from './options.ts';
import { requestBytes } from './request.ts';
import type { Collected } from './result.ts';
import { scale } from './scale.ts';
import { environmentOf, startFloor, startService } from './service.ts';
import { inTurns, type Contestant, type Round } from './turns.ts';

const { events: EVENTS_A_ROUND, webhooks: WEBHOOKS, writesBesideWebhooks: WRITES_A_ROUND } = scale;
/** The concurrency of one webhook. */
const AT_ONCE = 8;
const PAUSE_MS = 50;
const LOOK_MS = 10;

const data = { coupon_id: 12, user_id: 7, amount: 12.5 };
const event = defineEvent(
  'commission.added',
  'For the bench.',
  Type.Object({ coupon_id: Type.Integer(), user_id: Type.Integer(), amount: Type.Number() }),
  { id: 1, timestamp: '2026-01-10T09:00:00.000Z', data },
);

/** Measures the delivery rate and its effect on other requests. */
export async function measureWebhooks(
  engines: readonly Engine[],
  collected: Collected,
): Promise<void> {
  if (!isWanted('webhooks')) return;
  await measureDeliveries(engines, collected);
  for (const engine of engines) await measureWriting(engine, collected);
}

/**
 * Measures deliveries to one receiver against a bare client that sends the same bodies, signed in
 * advance.
 */
async function measureDeliveries(engines: readonly Engine[], collected: Collected): Promise<void> {
  const receiver = await startFloor({ status: 204, headers: [], body: '' });
  const url = `http://127.0.0.1:${receiver.port}/hook`;
  const contestants: Record<string, Contestant> = {
    bare: async () => ({ perSecond: await sendBare(url) }),
  };
  const places = [];
  for (const engine of engines) {
    const place = await install(engine);
    await addWebhooks(place.app, url, 1);
    await place.app.work();
    places.push(place);
    contestants[engine.name] = async () => ({ perSecond: await deliverSome(place.app) });
  }
  const medians: Record<string, Round> = await inTurns(contestants);
  for (const { app, store } of places) {
    await app.close();
    await store.remove();
  }
  await receiver.stop();
  for (const { name: database } of engines) {
    const { perSecond } = medians[database]!;
    const operation = `deliveries, ${AT_ONCE} at a time`;
    const http = medians['bare']!.perSecond;
    collected.add({ area: 'Webhooks', operation, database, orders: 0, perSecond, http });
  }
}

/** Measures from the commit of the events to the record of the last delivery. */
async function deliverSome({ site }: App): Promise<number> {
  await emitEvents(site, EVENTS_A_ROUND);
  const begun = performance.now();
  const wanted = (await recorded(site)) + EVENTS_A_ROUND;
  while ((await recorded(site)) < wanted) await setTimeout(LOOK_MS);
  return rateSince(begun);
}

export function emitEvents(site: App['site'], count: number): Promise<void> {
  return site.database.transaction(async (tx) => {
    for (let i = 0; i < count; i++) {
      emit(tx, event, { objectId: i, userId: 0, info: '', data, nowMs: Date.now() });
    }
  });
}

/** Committed deliveries by the service's own metric, which costs the database nothing. */
async function recorded(site: App['site']): Promise<number> {
  const readings = await Promise.all(
    site.registry.modules
      .filter(({ name }) => name === 'webhooks')
      .flatMap(({ metrics = [] }) => metrics)
      .map((metric) => metric.read(site)),
  );
  const attempts = readings
    .flatMap((reading) => [...reading])
    .find(([{ name }]) => name === 'tributary_webhook_attempts_total')![1];
  return attempts.find(({ labels }) => labels['outcome'] === 'delivered')!.value;
}

async function sendBare(url: string): Promise<number> {
  const agent = new Agent({ pipelining: 1, connections: AT_ONCE });
  const secret = makeSigningSecret();
  const messages = Array.from({ length: EVENTS_A_ROUND }, (_, i) => {
    const occurredAtMs = Date.now();
    const body = messageBody({ type: event.name, id: i, occurredAtMs, data: JSON.stringify(data) });
    return { body, headers: signedHeaders(secret, { id: messageId(i), body, nowMs: Date.now() }) };
  });
  const { origin, pathname: path } = new URL(url);
  const begun = performance.now();
  const drive = async () => {
    for (let next = messages.pop(); next; next = messages.pop()) {
      const answer = await agent.request({ origin, path, method: 'POST', ...next });
      await answer.body.dump();
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, drive));
  const result = rateSince(begun);
  await agent.close();
  return result;
}

function rateSince(begun: number): number {
  return EVENTS_A_ROUND / ((performance.now() - begun) / 1000);
}

/** Measures the latency of a write whose event goes to fifty webhooks. */
async function measureWriting(engine: Engine, collected: Collected): Promise<void> {
  const receiver = await startFloor({ status: 204, headers: [], body: '' });
  const url = `http://127.0.0.1:${receiver.port}/hook`;
  const all = [
    ['no webhook', 0, 'on'],
    [`${WEBHOOKS} webhooks`, WEBHOOKS, 'on'],
    [`${WEBHOOKS} webhooks, a worker of its own`, WEBHOOKS, 'off'],
  ] as const;
  // The last does all that the others do; a smoke run spends most of its time on starting services.
  for (const [name, count, worker] of options.smoke ? all.slice(-1) : all) {
    const { app, store } = await install(engine);
    await addWebhooks(app, url, count);
    await app.close();
    const service = await startService(store, { TRIBUTARY_WORKER: worker });
    const beside = worker === 'off' ? startWorker(store) : undefined;
    const took: number[] = [];
    for (let i = 0; i <= options.rounds; i++) {
      const round = await write(service.port, store.token);
      if (i > 0) took.push(...round);
    }
    took.sort((one, other) => one - other);
    for (const [q, label] of [
      [0.5, 'p50'],
      [0.99, 'p99'],
    ] as const) {
      const ms = took[Math.floor(took.length * q)]!;
      collected.figure('webhooks', `${name}, ${label}`, engine.name, ms);
    }
    await beside?.stop();
    await service.stop();
    await store.remove();
  }
  await receiver.stop();
}

function startWorker(store: Store): { stop(): Promise<void> } {
  const args = ['bin/tributary.js', 'worker', '--data', store.data, '--log-level', 'error'];
  const cwd = join(import.meta.dirname, '..');
  const child = spawn(process.execPath, args, { cwd, env: environmentOf(store) });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  process.once('exit', () => child.kill());
  return {
    async stop() {
      child.kill();
      await ended;
    },
  };
}

/** Latency of each write. */
async function write(port: number, token: string): Promise<number[]> {
  const request = requestBytes(token, 'POST', '/svc/v2/keys', '{}');
  const took: number[] = [];
  for (let i = 0; i < WRITES_A_ROUND; i++) {
    await setTimeout(PAUSE_MS);
    took.push((await load(port, each([request]), 1)).p50Ms);
  }
  return took;
}

export async function install(engine: Engine): Promise<{ app: App; store: OwnStore }> {
  const store = await engine.emptyStore();
  const app = await openStore(store, { port: '0', tls: 'off' });
  const { site } = app;
  await invoke(site, changeSettings, {
    'webhooks.allow_private': 'true',
    'webhooks.max': '500',
    'api.rate_per_minute': '1000000000',
  });
  const person = { login: 'admin', email: 'admin@bench.example', role: 'administrator' } as const;
  const user = await site.database.transaction((tx) =>
    createUser(tx, site, { ...person, passwordHash: null }),
  );
  const key = { user_id: user.id, scopes: 'read,write,manage' };
  const { token } = await invoke<{ token: string }>(site, createKey, key);
  return { app, store: { ...store, token } };
}

export async function addWebhooks({ site }: App, url: string, count: number): Promise<void> {
  const create = site.registry.allOperations().find(({ id }) => id === 'post_webhooks')!;
  for (let i = 0; i < count; i++) await invoke(site, create, { url, events: ['*'] });
}
