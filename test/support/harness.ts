import assert from 'node:assert/strict';
import { argon2Sync } from 'node:crypto';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import type { Server } from 'node:http';
import { join } from 'node:path';
import { after } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { pino } from 'pino';
import { openApp, type App } from '../../src/app.ts';
import { query } from '../../src/db/statements/query.ts';
import type { HttpServer } from '../../src/http/server.ts';
import { resolveConfig, type ConfigName } from '../../src/installation/config.ts';
import { dataFolder, loadKeyring, prepareFolder } from '../../src/installation/data-folder.ts';
import { invoke } from '../../src/kernel/call/invoke.ts';
import type { Scope } from '../../src/kernel/declare/caller.ts';
import type { Module } from '../../src/kernel/declare/module.ts';
import { createKey } from '../../src/modules/keys/index.ts';
import { createApplicationPassword } from '../../src/modules/passwords/index.ts';
import { changeSettings } from '../../src/modules/settings/index.ts';
import { createUser } from '../../src/modules/users/index.ts';
import type { RedisDeadlines } from '../../src/redis/link.ts';
import type { RunJobs } from '../../src/worker/worker.ts';
import { makeDatabase, TEMPLATE_FILE_VARIABLE, testServer } from '../postgres/databases.ts';
import { testRedis } from '../redis/server.ts';
import { moveTime } from '../redis/time.ts';
import { suspectEverything, suspiciousExtension } from '../suspicion/suspect.ts';
import { checkContract } from './contract.ts';
import { SAFETY_NET_MS } from './eventually.ts';
import './patient-fetch.ts';
import { assertLongDeclared, watchLongStatements } from './long-statements.ts';
import { idOf, people } from './people.ts';
import { storeLogs } from './stored-logs.ts';
import { fastParent } from './temp-folder.ts';

export { idOf, people };

export interface TestOptions {
  settings?: Record<string, unknown>;
  modules?: readonly Module[];
  config?: Partial<Record<ConfigName, string>>;
  /**
   * Which background jobs run by themselves. By default none before the stop: on a busy machine they would run at
   * any moment of a test. `own` are those of `--worker off`.
   */
  jobs?: RunJobs;
  /** How long Redis may take; by default so long that a busy machine never exceeds it. */
  redisDeadlines?: RedisDeadlines;
  /** The size of a database file from which on long statements run in threads. */
  longFromBytes?: number;
  /** How often to look for a renewed certificate; by default once a minute. */
  certificateEveryMs?: number;
}

export interface CallOptions {
  method?: string;
  /** An API key. */
  key?: string;
  /** `login:application password`. */
  basic?: string;
  /** A session, as `signIn` returns it. */
  session?: TestSession;
  headers?: Record<string, string>;
  json?: unknown;
  /** `FormData` is sent as `multipart/form-data`. */
  form?: string | FormData;
  /** False sends the request as if over plain HTTP. */
  secure?: boolean;
}

/**
 * The clocks of a service under test. They are stopped until a test advances them, so that no window,
 * wait or day ends during a test, however slow the machine is.
 */
export class TestTime {
  readonly #startMs = Date.parse(process.env['TEST_NOW'] ?? '') || Date.now();
  /** How far a test has advanced both clocks. */
  passedMs = 0;
  /** The error of the system clock. */
  setMs = 0;

  readonly clock = (): number => this.#startMs + this.passedMs + this.setMs;
  readonly monotonic = (): number => this.passedMs;
}

export interface TestSession {
  cookie: string;
  csrf: string | undefined;
}

export interface Reply {
  status: number;
  headers: Headers;
  /** The parsed body if it is JSON, else the text. */
  body: any;
  text: string;
}

/** Deadlines so long that Redis on a busy machine does not count as down. */
export const patient: RedisDeadlines = { callMs: SAFETY_NET_MS, connectMs: SAFETY_NET_MS };

export const PASSWORD = 'correct horse battery';
/** Of `PASSWORD`, at the least cost that argon2 allows: the service verifies a hash at the cost it was made with. */
const passwordHash = cheapHash();

function cheapHash(): string {
  const nonce = Buffer.from('salt of all tests');
  const cost = { memory: 8, passes: 1, parallelism: 1, tagLength: 32 };
  const hash = argon2Sync('argon2id', { message: PASSWORD, nonce, ...cost });
  const [salt, tag] = [nonce, hash].map((bytes) => bytes.toString('base64').replaceAll('=', ''));
  return `$argon2id$v=19$m=8,t=1,p=1$${salt}$${tag}`;
}

/** Starts a real server on a free loopback port with its own database, and closes it after the tests. */
export async function openTestApp(options: TestOptions = {}): Promise<TestApp> {
  const data = mkdtempSync(join(fastParent, 'tributary-test-'));
  const logs: string[] = [];
  let close = async () => {};
  let drop = async () => {};
  // Must be registered before the first await: later the runner does not know the current test.
  after(async () => {
    await close();
    storeLogs(logs);
    await drop();
    rmSync(data, { recursive: true, force: true });
    assertLongDeclared();
  });
  const database = await testDatabase(options, data);
  drop = database.drop;
  const { config } = resolveConfig(
    {
      data,
      databaseUrl: database.url,
      redisUrl: testRedis() ?? '',
      port: '0',
      tls: 'off',
      trustedProxies: '127.0.0.1',
      ...(options.modules === undefined && suspiciousExtension(data)),
      ...options.config,
    },
    {},
  );
  const log = pino({ level: 'debug' }, { write: (line: string) => void logs.push(line) });
  const time = new TestTime();
  const app = await openApp({
    config,
    log,
    clock: time.clock,
    monotonic: time.monotonic,
    runs: options.jobs ?? 'at-stop',
    redisDeadlines: options.redisDeadlines ?? patient,
    certificateEveryMs: options.certificateEveryMs,
    ...(options.longFromBytes !== undefined && { longFromBytes: options.longFromBytes }),
    ...(options.modules && { modules: options.modules }),
  });
  close = () => app.close();
  watchLongStatements(app.site);
  for (const { login, role } of people) {
    await app.site.database.transaction((tx) =>
      createUser(tx, app.site, { login, email: `${login}@test.example`, role, passwordHash }),
    );
  }
  const { server } = await app.listen();
  close = async () => {
    // Otherwise closing waits a second for the connections that fetch keeps open.
    server.fastify.server.closeAllConnections();
    await setImmediate();
    await app.close();
  };
  const test = new TestApp(app, server, config, logs, time);
  // High limits, so that only tests about limits reach one.
  await test.set({
    'api.rate_per_minute': 1_000_000,
    'api.anonymous_rate_per_minute': 1_000_000,
    'api.site_rate_per_minute': 1_000_000,
    ...options.settings,
  });
  await suspectEverything(test);
  return test;
}

/**
 * Creates a database if the tests run on PostgreSQL, and in a run of all tests a file that is migrated. It is empty
 * if the test has its own modules.
 */
async function testDatabase(
  { modules }: TestOptions,
  data: string,
): Promise<{ url: string; drop(): Promise<void> }> {
  const server = testServer();
  if (server !== undefined) return makeDatabase(server, { empty: modules !== undefined });
  const template = process.env[TEMPLATE_FILE_VARIABLE];
  if (template !== undefined && modules === undefined) {
    const folder = dataFolder(data);
    prepareFolder(folder);
    // A service makes no secret beside a database.
    loadKeyring(folder);
    copyFileSync(template, folder.databaseFile);
  }
  return { url: '', drop: async () => {} };
}

function portOf(server: { fastify: { server: { address(): unknown } } }): number {
  return (server.fastify.server.address() as { port: number }).port;
}

const expireKey = query<{ id: number; at: number }>((db, p) =>
  db.updateTable('api_keys').set({ expires_at: p.at }).where('id', '=', p.id),
);

export class TestApp {
  readonly app: App;
  readonly site: App['site'];
  readonly url: string;
  readonly server: Server;
  readonly logs: string[];
  /** The URL of the database on PostgreSQL; empty on SQLite. */
  readonly databaseUrl: string;
  readonly #redisUrl: string;
  readonly #time: TestTime;
  #moving = Promise.resolve();

  constructor(
    app: App,
    server: HttpServer,
    { databaseUrl, redisUrl }: { databaseUrl: string; redisUrl?: string },
    logs: string[],
    time: TestTime,
  ) {
    this.app = app;
    this.databaseUrl = databaseUrl;
    this.#redisUrl = redisUrl ?? '';
    this.site = app.site;
    this.server = server.fastify.server;
    this.url = `http://127.0.0.1:${portOf(server)}`;
    this.logs = logs;
    this.#time = time;
  }

  /** Moves the system clock ahead or back, while no time passes. */
  setClock(byMs: number): void {
    this.#time.setMs += byMs;
  }

  /** Lets time pass for the service, and in Redis before the next call. */
  advance(ms: number): void {
    this.#time.passedMs += ms;
    if (this.#redisUrl === '') return;
    this.#moving = this.#moving.then(() => moveTime(this.#redisUrl, this.site.keyring, ms));
  }

  /** Calls `/keys` in the v2 API, `/svc/…` in any API, or `~/…` at the root of the site. */
  async call(path: string, options: CallOptions = {}): Promise<Reply> {
    await this.#moving;
    const target = pathOf(path);
    const method = options.method ?? 'GET';
    const response = await fetch(this.url + target, {
      method,
      redirect: 'manual',
      headers: headersFor(options),
      ...(options.json !== undefined && {
        body: typeof options.json === 'string' ? options.json : JSON.stringify(options.json),
      }),
      ...(options.form !== undefined && { body: options.form }),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json');
    const body = isJson && text !== '' ? JSON.parse(text) : text;
    const reply = { status: response.status, headers: response.headers, body, text };
    checkContract(this.site, method, target, reply);
    return reply;
  }

  /** Changes settings without an HTTP request. */
  async set(values: Record<string, unknown>): Promise<void> {
    const text = Object.fromEntries(
      Object.entries(values).map(([k, v]) => [k, Array.isArray(v) ? v : String(v)]),
    );
    await invoke(this.site, changeSettings, text);
  }

  async key(
    login: string,
    scopes: Scope[] | string,
    options: { expires?: string } = {},
  ): Promise<string> {
    return (await this.keyRecord(login, scopes, options)).token;
  }

  keyRecord(login: string, scopes: Scope[] | string, options: { expires?: string } = {}) {
    return invoke<{ id: number; token: string }>(this.site, createKey, {
      user_id: idOf(login),
      scopes,
      ...options,
    });
  }

  /** A key that expired long ago. */
  async expiredKey(login: string, scopes: Scope[] | string) {
    const record = await this.keyRecord(login, scopes, { expires: '2099-12-31' });
    await this.site.database.transaction((tx) => tx.run(expireKey, { id: record.id, at: 1 }));
    return record;
  }

  /** Creates an application password; returns `login:password` for HTTP Basic. */
  async basic(login: string): Promise<string> {
    const { password } = await createApplicationPassword(this.site, idOf(login), '');
    return `${login}:${password}`;
  }

  async signIn(login: string): Promise<TestSession> {
    const reply = await this.call('~/session', {
      method: 'POST',
      json: { login, password: PASSWORD },
    });
    assert.equal(reply.status, 201, reply.text);
    const cookie = reply.headers.getSetCookie()[0]!.split(';')[0]!;
    return { cookie, csrf: reply.body.csrf_token };
  }
}

/** Node's own name counts as a bot. */
const BROWSER_AGENT = 'Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0';

function pathOf(path: string): string {
  if (path.startsWith('~')) return path.slice(1);
  return path.startsWith('/svc/') ? path : `/svc/v2${path}`;
}

function headersFor(options: CallOptions): Record<string, string> {
  return {
    'user-agent': BROWSER_AGENT,
    ...(options.secure !== false && { 'x-forwarded-proto': 'https' }),
    ...(options.key !== undefined && { authorization: `Bearer ${options.key}` }),
    ...(options.basic !== undefined && {
      authorization: `Basic ${Buffer.from(options.basic).toString('base64')}`,
    }),
    ...(options.session && { cookie: options.session.cookie }),
    ...(options.session?.csrf && { 'x-svc-csrf': options.session.csrf }),
    ...(options.json !== undefined && { 'content-type': 'application/json' }),
    ...(typeof options.form === 'string' && {
      'content-type': 'application/x-www-form-urlencoded',
    }),
    ...options.headers,
  };
}

/** Status and error code of a response: `400 rest_invalid_param`. */
export function refusal(reply: Reply): string {
  return `${reply.status} ${reply.body.code}`;
}
