import { execFileSync, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Api } from '../test/upgrades/fill-store.ts';

export const PASSWORD = 'four maples lean over the canal';
const FORWARDED = { 'x-forwarded-proto': 'https' };

/** The program of a release, by its entry point, with an installation of its own. */
export interface ReleaseService {
  readonly program: string;
  readonly data: string;
  /** Of PostgreSQL; empty for SQLite. */
  readonly url: string;
  readonly logLevel?: string;
}

/** Creates an administrator, and returns a key of theirs for everything. */
export function setUp(service: ReleaseService): string {
  const passwordFile = join(service.data, '../password');
  writeFileSync(passwordFile, PASSWORD, { mode: 0o600 });
  const run = (...args: string[]) =>
    execFileSync(process.execPath, [service.program, ...args, '--data', service.data, '--json'], {
      env: environmentOf(service),
    });
  const person = ['--login', 'admin', '--email', 'admin@store.example'];
  run('admin', 'create', ...person, '--password-file', passwordFile);
  const key = run('keys', 'create', '--user', 'admin', '--scopes', 'read,write,manage');
  run('passwords', 'create', '--user', 'admin');
  return (JSON.parse(key.toString()) as { token: string }).token;
}

/** Runs the service while `use` works with it. */
export async function serve(
  service: ReleaseService,
  token: string,
  use: (api: Api, base: string) => Promise<void>,
): Promise<void> {
  const { logLevel = 'error' } = service;
  const flags = ['--data', service.data, '--tls', 'off', '--port', '0', '--log-level', logLevel];
  const child = spawn(
    process.execPath,
    [service.program, 'start', ...flags, '--trusted-proxies', '127.0.0.1'],
    { env: environmentOf(service), stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  let printed = '';
  const base = await new Promise<string>((resolve, reject) => {
    child.once('exit', () => reject(new Error(`${service.program} ended: ${printed}`)));
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
      const match = /running at (http:\S+)/.exec(printed);
      if (match) resolve(match[1]!);
    });
  });
  const api: Api = async (method, path, body, isAnonymous) => {
    const response = await fetch(base + path, {
      method,
      headers: {
        ...FORWARDED,
        ...(!isAnonymous && { authorization: `Bearer ${token}` }),
        ...(body && { 'content-type': 'application/json' }),
        ...(method === 'POST' && { 'idempotency-key': randomUUID() }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return text === '' ? undefined : JSON.parse(text);
  };
  try {
    await use(api, base);
  } finally {
    child.kill('SIGTERM');
    await ended;
    process.off('exit', kill);
  }
}

/** Signs in with the password, so that the installation has a session. */
export async function signIn(base: string): Promise<void> {
  const response = await fetch(`${base}/session`, {
    method: 'POST',
    headers: { ...FORWARDED, 'content-type': 'application/json' },
    body: JSON.stringify({ login: 'admin', password: PASSWORD }),
  });
  if (!response.ok) throw new Error(`POST /session: ${await response.text()}`);
}

function environmentOf({ url }: ReleaseService): NodeJS.ProcessEnv {
  const { DATABASE_URL: _, ...environment } = process.env;
  return url === '' ? environment : { ...environment, DATABASE_URL: url };
}
