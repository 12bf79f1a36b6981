import { fork, spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openApp } from '../src/app.ts';
import { createLog } from '../src/cli/log.ts';
import { resolveConfig } from '../src/config.ts';
import type { Role } from '../src/kernel/caller.ts';
import { invoke } from '../src/kernel/invoke.ts';
import { createKey } from '../src/modules/keys/index.ts';
import { changeSettings } from '../src/modules/settings/index.ts';
import { createUser } from '../src/modules/users/index.ts';
import { fillCoupons, fillOrders } from './dataset.ts';
import { load, type LoadResult } from './load.ts';

/**
 * How close the service comes to a bare node:http server that answers the same bytes. Both are
 * measured in the same run, in turns, and the medians are compared: the ratio is what counts.
 */
const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '2' },
    connections: { type: 'string', default: '64' },
    only: { type: 'string' },
    orders: { type: 'string', default: '20000' },
    /** Writes a CPU profile of the service into this folder. */
    profile: { type: 'string' },
  },
});

const targets = [
  { name: 'GET /me with a key', path: '/svc/v2/me', key: true },
  { name: 'GET /openapi', path: '/svc/v2/openapi', key: true },
  { name: 'GET /events, 100', path: '/svc/v2/events?after=0&per_page=100', key: true },
  { name: 'GET /coupons/{id}', path: '/svc/v2/coupons/1', key: true },
  { name: 'GET /coupons, 20 of 100k', path: '/svc/v2/coupons?per_page=20', key: true },
  { name: 'GET stats, all-time', path: '/svc/v2/coupons/1/stats', key: true },
  {
    name: 'GET stats, a year',
    path: '/svc/v2/coupons/1/stats?from=2026-01-01&to=2026-12-31',
    key: true,
  },
  { name: 'GET orders, page 1', path: '/svc/v2/coupons/1/orders', key: true },
  { name: 'GET orders, page 90', path: '/svc/v2/coupons/1/orders?page=90', key: true },
].filter((target) => options.only === undefined || target.path.includes(options.only));

const data = mkdtempSync(join(tmpdir(), 'tributary-bench-'));
const children: ChildProcess[] = [];
try {
  const key = await prepare();
  const service = await startService();
  console.log(
    `\n${options.connections} connections, ${options.rounds} rounds of ${options.seconds} s each, in turns; medians\n`,
  );
  console.log(
    row([
      'operation',
      'req/s',
      'floor',
      'ratio',
      'p50 ms',
      'p99 ms',
      'CPU µs',
      'floor',
      'CPU ratio',
    ]),
  );
  for (const target of targets) await measure(target, key, service);
  console.log(`\nfloor: a bare node:http server answering the same bytes (status, headers, body)`);
} finally {
  const running = children.filter((child) => child.exitCode === null && child.signalCode === null);
  const ended = running.map((child) => new Promise((resolve) => child.once('exit', resolve)));
  for (const child of running) child.kill('SIGTERM');
  await Promise.all(ended);
  rmSync(data, { recursive: true, force: true });
}

async function prepare(): Promise<string> {
  const { config } = resolveConfig({ data }, {});
  const app = await openApp({ config, log: createLog('warn') });
  const person = (login: string, role: Role) =>
    app.site.database.transaction((tx) =>
      createUser(tx, app.site, {
        login,
        email: `${login}@bench.example`,
        role,
        passwordHash: null,
      }),
    );
  const user = await person('bench', 'administrator');
  const affiliate = await person('affiliate', 'affiliate');
  await invoke(app.site, changeSettings, { 'api.rate_per_minute': '1000000000' });
  for (let i = 0; i < 100; i++) await invoke(app.site, createKey, { user_id: user.id });
  await fillCoupons(app.site, affiliate.id);
  const started = performance.now();
  await fillOrders(app.site, Number(options.orders));
  const perSecond = Number(options.orders) / ((performance.now() - started) / 1000);
  console.log(
    `\n${options.orders} orders taken in, in batches of 1,000: ${perSecond.toFixed(0)} a second`,
  );
  const { token } = await invoke<{ token: string }>(app.site, createKey, {
    user_id: user.id,
    scopes: 'read,write,manage',
  });
  await app.close();
  return token;
}

interface Running {
  port: number;
  pid: number;
}

async function startService(): Promise<Running> {
  const profiling = options.profile
    ? ['--cpu-prof', `--cpu-prof-dir=${options.profile}`, '--cpu-prof-interval=200']
    : [];
  const flags = [
    '--data',
    data,
    '--log-level',
    'warn',
    '--tls',
    'off',
    '--trusted-proxies',
    '127.0.0.1',
    '--port',
    '0',
  ];
  const child = spawn(process.execPath, [...profiling, 'src/main.ts', 'start', ...flags], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  const port = await new Promise<number>((resolve, reject) => {
    let printed = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      printed += chunk;
      const match = /running at http:\/\/localhost:(\d+)/.exec(printed);
      if (match) resolve(Number(match[1]));
    });
    child.once('exit', () => reject(new Error('The service did not start')));
  });
  return { port, pid: child.pid! };
}

async function startFloor(answer: object): Promise<Running> {
  const child = fork(join(import.meta.dirname, 'floor.ts'));
  children.push(child);
  child.send(answer);
  const { port } = await new Promise<{ port: number }>((resolve) =>
    child.once('message', (message) => resolve(message as { port: number })),
  );
  return { port, pid: child.pid! };
}

async function measure(
  target: (typeof targets)[number],
  key: string,
  service: Running,
): Promise<void> {
  const headers: Record<string, string> = {
    host: '127.0.0.1',
    'x-forwarded-proto': 'https',
    'x-forwarded-for': '203.0.113.7',
    ...(target.key && { authorization: `Bearer ${key}` }),
  };
  const floor = await startFloor(await capture(service.port, target.path, headers));
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const request = Buffer.from(`GET ${target.path} HTTP/1.1\r\n${head.join('')}\r\n`);

  const results: Record<'service' | 'floor', Round[]> = { service: [], floor: [] };
  // The first round warms up and is not counted.
  for (let i = 0; i <= Number(options.rounds); i++) {
    for (const [name, running] of [
      ['service', service],
      ['floor', floor],
    ] as const) {
      const result = await measureRound(running, request);
      if (i > 0) results[name].push(result);
    }
  }
  process.kill(floor.pid);
  const s = medians(results.service);
  const f = medians(results.floor);
  console.log(
    row([
      target.name,
      s.perSecond.toFixed(0),
      f.perSecond.toFixed(0),
      (s.perSecond / f.perSecond).toFixed(2),
      s.p50Ms.toFixed(2),
      s.p99Ms.toFixed(2),
      s.cpuUs.toFixed(0),
      f.cpuUs.toFixed(0),
      (f.cpuUs / s.cpuUs).toFixed(2),
    ]),
  );
}

type Round = LoadResult & { cpuUs: number };

async function measureRound(running: Running, request: Buffer): Promise<Round> {
  const before = cpuMs(running.pid);
  const result = await load(running.port, request, {
    connections: Number(options.connections),
    ms: Number(options.seconds) * 1000,
  });
  return { ...result, cpuUs: ((cpuMs(running.pid) - before) * 1000) / result.requests };
}

function medians(rounds: Round[]): Round {
  const median = (name: keyof Round) =>
    rounds.map((round) => round[name]).sort((a, b) => a - b)[Math.floor(rounds.length / 2)]!;
  return {
    requests: median('requests'),
    perSecond: median('perSecond'),
    p50Ms: median('p50Ms'),
    p99Ms: median('p99Ms'),
    cpuUs: median('cpuUs'),
  };
}

/** CPU time of a process, user and system; NaN where the system does not tell. */
function cpuMs(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
    return (Number(fields[11]) + Number(fields[12])) * 10;
  } catch {
    return Number.NaN;
  }
}

function capture(port: number, path: string, headers: Record<string, string>): Promise<object> {
  return new Promise((resolve, reject) => {
    httpRequest({ port, host: '127.0.0.1', path, headers }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
      // Date and connection headers the floor writes by itself, as the service does.
      const own = new Set(['date', 'connection', 'keep-alive']);
      const sent: string[] = [];
      for (let i = 0; i < response.rawHeaders.length; i += 2) {
        if (own.has(response.rawHeaders[i]!.toLowerCase())) continue;
        sent.push(response.rawHeaders[i]!, response.rawHeaders[i + 1]!);
      }
      response.on('end', () => resolve({ status: response.statusCode, headers: sent, body }));
    })
      .on('error', reject)
      .end();
  });
}

function row(cells: string[]): string {
  return cells.map((cell, i) => (i === 0 ? cell.padEnd(26) : cell.padStart(10))).join('');
}
