import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { pino } from 'pino';
import Type from 'typebox';
import { Agent } from 'undici';
import { openApp, type App } from '../src/app.ts';
import { resolveConfig } from '../src/config.ts';
import { query } from '../src/db/query.ts';
import { defineEvent } from '../src/kernel/event.ts';
import { invoke } from '../src/kernel/invoke.ts';
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
import { each, load } from './load.ts';
import { median, print, printHead } from './measure.ts';
import { isWanted, options } from './options.ts';
import { requestBytes } from './request.ts';
import { startFloor, startService } from './service.ts';

const EVENTS_A_ROUND = 5_000;
/** As many at a time as a webhook has. */
const AT_ONCE = 8;
const WEBHOOKS = 50;
const WRITES_A_ROUND = 50;
const PAUSE_MS = 50;

const event = defineEvent(
  'commission.added',
  'For the bench.',
  Type.Object({ coupon_id: Type.Integer(), user_id: Type.Integer(), amount: Type.Number() }),
);
const data = { coupon_id: 12, user_id: 7, amount: 12.5 };

/** One look into an index: measuring must not cost what is measured. */
const anyPending = query<object, { id: number }>((db) =>
  db
    .selectFrom('webhook_deliveries')
    .select('id')
    .where('webhook_id', '=', 1)
    .where('due_at', '>', 0)
    .limit(1),
);

/** How fast events arrive, and what others notice of it. */
export async function measureWebhooks(): Promise<void> {
  if (!isWanted('webhooks')) return;
  await measureDeliveries();
  await measureWriting();
}

/** Events to one receiver, against a bare client that sends the same bodies, signed beforehand. */
async function measureDeliveries(): Promise<void> {
  const receiver = await startFloor({ status: 204, headers: [], body: '' });
  const url = `http://127.0.0.1:${receiver.port}/hook`;
  const place = await install();
  await addWebhooks(place.app, url, 1);
  await place.app.work();
  const delivered: number[] = [];
  const bare: number[] = [];
  for (let i = 0; i <= options.rounds; i++) {
    const [d, b] = [await deliverSome(place.app), await sendBare(url)];
    // The first round warms up and is not counted.
    if (i > 0) {
      delivered.push(d);
      bare.push(b);
    }
  }
  await place.remove();
  await receiver.stop();
  printHead('webhook deliveries a second to one receiver; floor: a bare undici loop');
  print({
    name: `${EVENTS_A_ROUND} events, ${AT_ONCE} at a time`,
    perSecond: median(delivered),
    floor: median(bare),
    target: 0.5,
  });
}

/** From the commit of the events to the record of the last delivery. */
async function deliverSome({ site }: App): Promise<number> {
  await site.database.transaction(async (tx) => {
    for (let i = 0; i < EVENTS_A_ROUND; i++) {
      await emit(tx, event, { objectId: i, userId: 0, info: '', data, nowMs: Date.now() });
    }
  });
  const begun = performance.now();
  // Until they are fanned out nothing waits.
  while (!(await isPending(site))) await setTimeout(2);
  while (await isPending(site)) await setTimeout(5);
  return perSecond(begun);
}

async function isPending({ database }: App['site']): Promise<boolean> {
  return (await database.read.first(anyPending, {})) !== undefined;
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
  const result = perSecond(begun);
  await agent.close();
  return result;
}

function perSecond(begun: number): number {
  return EVENTS_A_ROUND / ((performance.now() - begun) / 1000);
}

/** What a write costs its caller while fifty webhooks are told of it. */
async function measureWriting(): Promise<void> {
  const receiver = await startFloor({ status: 204, headers: [], body: '' });
  const url = `http://127.0.0.1:${receiver.port}/hook`;
  console.log(`\nPOST /keys, one every ${PAUSE_MS} ms, each told to so many webhooks\n`);
  for (const [name, count, worker] of [
    ['no webhook', 0, 'on'],
    [`${WEBHOOKS} webhooks`, WEBHOOKS, 'on'],
    [`${WEBHOOKS} webhooks, a worker of its own`, WEBHOOKS, 'off'],
  ] as const) {
    const place = await install();
    await addWebhooks(place.app, url, count);
    await place.app.close();
    process.env['TRIBUTARY_WORKER'] = worker;
    const service = await startService(place.folder);
    const beside = worker === 'off' ? startWorker(place.folder) : undefined;
    const took: number[] = [];
    for (let i = 0; i <= options.rounds; i++) {
      const round = await write(service.port, place.token);
      if (i > 0) took.push(...round);
    }
    took.sort((one, other) => one - other);
    const [p50Ms, p99Ms] = [0.5, 0.99].map((q) => took[Math.floor(took.length * q)]!.toFixed(2));
    console.log(`${name}: p50 ${p50Ms} ms, p99 ${p99Ms} ms`);
    await beside?.stop();
    await service.stop();
    place.removeFolder();
  }
  await receiver.stop();
}

function startWorker(folder: string): { stop(): Promise<void> } {
  const args = ['src/main.ts', 'worker', '--data', folder, '--log-level', 'error'];
  const child = spawn(process.execPath, args, { cwd: join(import.meta.dirname, '..') });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  process.once('exit', () => child.kill());
  return {
    async stop() {
      child.kill();
      await ended;
    },
  };
}

/** How long each write took its caller. */
async function write(port: number, token: string): Promise<number[]> {
  const request = requestBytes(token, 'POST', '/svc/v2/keys', '{}');
  const took: number[] = [];
  for (let i = 0; i < WRITES_A_ROUND; i++) {
    await setTimeout(PAUSE_MS);
    took.push((await load(port, each([request]), 1)).p50Ms);
  }
  return took;
}

async function install() {
  const folder = mkdtempSync(join(tmpdir(), 'tributary-bench-'));
  const { config } = resolveConfig({ data: folder, port: '0', tls: 'off' }, {});
  const app = await openApp({ config, log: pino({ level: 'error' }) });
  const { site } = app;
  await invoke(site, changeSettings, {
    'webhooks.allow_private': 'true',
    'api.rate_per_minute': '1000000000',
  });
  const person = { login: 'admin', email: 'admin@bench.example', role: 'administrator' } as const;
  const user = await site.database.transaction((tx) =>
    createUser(tx, site, { ...person, passwordHash: null }),
  );
  const key = { user_id: user.id, scopes: 'read,write,manage' };
  const { token } = await invoke<{ token: string }>(site, createKey, key);
  const removeFolder = () => rmSync(folder, { recursive: true, force: true });
  const remove = async () => {
    await app.close();
    removeFolder();
  };
  return { app, folder, token, remove, removeFolder };
}

async function addWebhooks({ site }: App, url: string, count: number): Promise<void> {
  const create = site.registry.allOperations().find(({ id }) => id === 'post_webhooks')!;
  for (let i = 0; i < count; i++) await invoke(site, create, { url, events: ['*'] });
}
