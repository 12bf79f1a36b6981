import { after } from 'node:test';
import { pino } from 'pino';
import { openApp } from '../../src/app.ts';
import { resolveConfig, type ConfigName } from '../../src/installation/config.ts';
import { openTestApp, patient, TestApp, TestTime, type TestOptions } from '../support/harness.ts';
import { testRedis } from './server.ts';

const closing: (() => Promise<void>)[] = [];

/** An app beside which others will be served: those close before it takes the database with it. */
export function openFirst(options: TestOptions = {}): Promise<TestApp> {
  after(async () => {
    for (const close of closing.splice(0)) await close();
  });
  return openTestApp(options);
}

/** The same installation served once more: its data folder, its database, its Redis. */
export async function serveBeside(
  first: TestApp,
  flags: Partial<Record<ConfigName, string>> = {},
  redisDeadlines = patient,
): Promise<TestApp> {
  const { config } = resolveConfig(
    {
      data: first.app.folder.path,
      databaseUrl: first.databaseUrl,
      redisUrl: testRedis()!,
      tls: 'off',
      port: '0',
      trustedProxies: '127.0.0.1',
      ...flags,
    },
    {},
  );
  const logs: string[] = [];
  const log = pino({ level: 'debug' }, { write: (line: string) => void logs.push(line) });
  const time = new TestTime();
  const app = await openApp({
    config,
    log,
    clock: time.clock,
    monotonic: time.monotonic,
    runs: 'at-stop',
    redisDeadlines,
  });
  const { server } = await app.listen();
  closing.push(async () => {
    server.fastify.server.closeAllConnections();
    await app.close();
  });
  return new TestApp(app, server, config, logs, time);
}

/** The figures that an instance shows of Redis. */
export async function redisFigures(app: TestApp): Promise<{ up: number; fallbacks: number }> {
  const text = await app.site.metrics.metrics();
  const figure = (name: string) => Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1]);
  return { up: figure('tributary_redis_up'), fallbacks: figure('tributary_redis_fallbacks_total') };
}

/** What an instance has said of Redis, in order: lost, there. */
export function saidOfRedis(app: TestApp): string[] {
  return app.logs
    .map((line) => JSON.parse(line) as { level: number; msg: string })
    .filter(({ msg }) => msg.startsWith('Redis '))
    .map(({ level, msg }) => `${pino.levels.labels[level]}: ${msg.split(':')[0]}`);
}
