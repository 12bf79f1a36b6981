import assert from 'node:assert/strict';
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import http, { type IncomingHttpHeaders } from 'node:http';
import https from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { dataFolder } from '../../src/data-folder.ts';

export { dataFolder };

export const program = fileURLToPath(new URL('../../bin/tributary.js', import.meta.url));

const COMMAND_MAX_MS = 30_000;
const START_MAX_MS = 30_000;

/** Exit codes, as scripts know them. */
export const USAGE = 2;
export const NOT_FOUND = 3;
export const REFUSED = 4;

/** What a finished command leaves behind. */
export interface Result {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface ProcessOptions {
  env?: Record<string, string>;
  cwd?: string;
  /** Another Node than this one, with its own flags. */
  node?: string[];
  /** Another copy of the program. */
  program?: string;
  /** How long the command may take. */
  maxMs?: number;
  /** At the head of a process group of its own, as on a terminal. It is ended by SIGTERM. */
  ownGroup?: boolean;
}

const killers: (() => unknown)[] = [];
const folders: string[] = [];

// Whatever a test leaves running ends with its file; folders go when nothing runs in them any more.
after(() => killers.forEach((kill) => kill()));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
process.on('exit', () => {
  for (const kill of killers) kill();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

/** A folder of its own, removed after the tests. */
export function tempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tributary-process-'));
  folders.push(folder);
  return folder;
}

/** Runs a command to its end, in an empty folder where not said otherwise. */
export async function run(args: string[], options: ProcessOptions = {}): Promise<Result> {
  const child = launch(args, options);
  const output = collect(child);
  const { maxMs = COMMAND_MAX_MS } = options;
  const { code } = await within(maxMs, ended(child), `tributary ${args.join(' ')}`);
  return { code, ...output };
}

const EACH = `
  const { runCommandLine } = await import(process.argv[1]);
  const results = [];
  for (const { args, env = {} } of JSON.parse(process.argv[2])) {
    const result = { code: null, stdout: '', stderr: '' };
    const kept = [process.stdout.write, process.stderr.write];
    process.stdout.write = (text) => (result.stdout += text, true);
    process.stderr.write = (text) => (result.stderr += text, true);
    Object.assign(process.env, env);
    result.code = await runCommandLine(args);
    for (const name of Object.keys(env)) delete process.env[name];
    [process.stdout.write, process.stderr.write] = kept;
    results.push(result);
  }
  process.stdout.write(JSON.stringify(results));
`;

/**
 * Runs many commands one after the other in one process, which takes most of its time to load. For
 * what needs no process of its own: refusals, help texts.
 */
export async function runEach(
  commands: { args: string[]; env?: Record<string, string> }[],
  options: ProcessOptions = {},
): Promise<Result[]> {
  const entry = new URL('../../src/cli/program.ts', import.meta.url).href;
  const flags = ['--input-type=module', '-e', EACH, entry, JSON.stringify(commands)];
  const child = launchNode([process.execPath, ...flags], options);
  const output = collect(child);
  const { code } = await within(COMMAND_MAX_MS, ended(child), 'running commands');
  assert.equal(code, 0, output.stderr);
  return JSON.parse(output.stdout) as Result[];
}

/** Runs a command that must succeed, and reads the JSON it prints. */
export async function runJson<T = any>(args: string[], options: ProcessOptions = {}): Promise<T> {
  const result = await run([...args, '--json'], options);
  assert.equal(result.code, 0, `tributary ${args.join(' ')}: ${result.stderr}`);
  return JSON.parse(result.stdout) as T;
}

/** A data folder with an administrator `admin`, and a key of it that may do everything. */
export async function install(settings: Record<string, string> = {}) {
  const data = join(tempFolder(), 'data');
  const commands = [
    ['admin', 'create', '--login', 'admin', '--email', 'admin@test.example'],
    ['keys', 'create', '--user', 'admin', '--scopes', 'read,write,manage'],
    ...Object.entries(settings).map(([name, value]) => ['settings', 'set', name, value]),
  ];
  const results = await runEach(
    commands.map((args) => ({ args: [...args, '--data', data, '--json'] })),
  );
  for (const { code, stderr } of results) assert.equal(code, 0, stderr);
  return { data, key: (JSON.parse(results[1]!.stdout) as { token: string }).token };
}

export function createKey(data: string, user: string, scopes: string) {
  const args = ['keys', 'create', '--user', user, '--scopes', scopes, '--data', data];
  return runJson<{ id: number; token: string }>(args);
}

/** Starts the service on a free port of the loopback address and waits until it says where it is. */
export async function startServer(
  data: string,
  args: string[] = [],
  options: ProcessOptions & { command?: 'start' | 'demo' } = {},
): Promise<Server> {
  const { command = 'start' } = options;
  const all = [command, '--data', data, '--host', '127.0.0.1', ...args];
  const child = launch(args.includes('--port') ? all : [...all, '--port', '0'], options);
  const output = collect(child);
  const address = new Promise<string>((resolve, reject) => {
    // Words for people end with how to stop; with --json it is an object.
    child.stdout!.on('data', () => {
      const told =
        /running at (\S+)[^]*Stop with Ctrl\+C/.exec(output.stdout) ??
        /"url": "([^"]+)"[^]*^\}$/m.exec(output.stdout);
      if (told) resolve(told[1]!);
    });
    child.once('close', (code) =>
      reject(new Error(`the server ended with ${code}:\n${output.stdout}\n${output.stderr}`)),
    );
  });
  return new Server(child, output, data, await within(START_MAX_MS, address, 'starting'));
}

export interface CallOptions {
  method?: string;
  key?: string;
  basic?: string;
  json?: unknown;
  form?: Record<string, string>;
  headers?: Record<string, string>;
  /** A connection to keep; otherwise each call makes its own. */
  agent?: https.Agent;
}

export interface Reply {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  /** Parsed where it is JSON, else the text. */
  body: any;
}

/** A running service, seen from outside. */
export class Server {
  readonly child: ChildProcess;
  readonly output: { stdout: string; stderr: string };
  readonly data: string;
  /** The address it printed. */
  readonly url: string;
  readonly port: number;
  /** The certificate to trust. */
  ca: string | undefined;

  constructor(
    child: ChildProcess,
    output: { stdout: string; stderr: string },
    data: string,
    url: string,
  ) {
    this.child = child;
    this.output = output;
    this.data = data;
    this.url = url;
    this.port = Number(new URL(url).port);
    const { certificateFile } = dataFolder(data);
    if (existsSync(certificateFile)) this.ca = readFileSync(certificateFile, 'utf8');
  }

  /** Calls the v2 API: `/keys`; any path that starts with `~/` is one of the site itself. */
  call(path: string, options: CallOptions = {}): Promise<Reply> {
    const target = path.startsWith('~') ? path.slice(1) : `/svc/v2${path}`;
    const body = bodyOf(options);
    const secure = this.url.startsWith('https:');
    return new Promise((resolve, reject) => {
      const request = (secure ? https : http).request({
        host: '127.0.0.1',
        port: this.port,
        path: target,
        method: options.method ?? 'GET',
        headers: {
          ...headersOf(options),
          ...(body && { 'content-length': Buffer.byteLength(body) }),
        },
        agent: options.agent ?? false,
        ...(secure && { ca: this.ca }),
      });
      request.on('error', reject);
      request.on('response', (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('close', () => {
          if (!response.complete) return reject(new Error('the answer was cut off'));
          const text = Buffer.concat(chunks).toString();
          const { headers, statusCode: status = 0 } = response;
          const isJson = text !== '' && headers['content-type']?.startsWith('application/json');
          resolve({ status, headers, text, body: isJson ? JSON.parse(text) : text });
        });
      });
      request.end(body);
    });
  }

  /** Sends a signal and waits for the end. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<Exit> {
    const end = ended(this.child);
    this.child.kill(signal);
    return within(START_MAX_MS, end, `stopping by ${signal}`);
  }
}

export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** The end of a process, also when it has come already. */
export function ended(child: ChildProcess): Promise<Exit> {
  const { exitCode, signalCode } = child;
  if (exitCode !== null || signalCode !== null) {
    return Promise.resolve({ code: exitCode, signal: signalCode });
  }
  return new Promise((resolve) =>
    child.once('close', (code, signal) => resolve({ code, signal: signal as Exit['signal'] })),
  );
}

export async function within<T>(ms: number, promise: Promise<T>, what: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what}: not done within ${ms} ms`)), ms);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

const hasCurl = await promisify(execFile)('curl', ['--version']).then(
  () => true,
  () => false,
);

/** Runs a printed curl line as pasted, through the shell; without curl, does the same by its words. */
export async function paste(
  line: string,
  server: Server,
): Promise<{ status: number; text: string }> {
  if (hasCurl) {
    const command = `${line} -s -w '\\n%{http_code}'`;
    const { stdout } = await promisify(execFile)('sh', ['-c', command]);
    const end = stdout.lastIndexOf('\n');
    return { status: Number(stdout.slice(end + 1)), text: stdout.slice(0, end) };
  }
  const { stdout } = await promisify(execFile)('sh', ['-c', `printf '%s\\n' ${line}`]);
  const words = stdout.trimEnd().split('\n');
  const wordAfter = (flag: string) => words[words.indexOf(flag) + 1]!;
  assert.equal(readFileSync(wordAfter('--cacert'), 'utf8'), server.ca);
  const url = new URL(words.at(-1)!);
  assert.equal(url.origin, server.url);
  const credential = words.includes('-u')
    ? { basic: wordAfter('-u') }
    : { headers: { authorization: wordAfter('-H').slice('Authorization: '.length) } };
  return server.call(`~${url.pathname}${url.search}`, credential);
}

/** The database of an installation, read past the service, and closed again. */
export function readDatabase<T>(file: string, read: (db: DatabaseSync) => T): T {
  const db = new DatabaseSync(file, { readOnly: true, timeout: 5_000 });
  try {
    return read(db);
  } finally {
    db.close();
  }
}

/** A refusal: its exit code, nothing on standard output, and words instead of a stack trace. */
export function assertRefused(result: Result, code: number, words: RegExp): void {
  assert.equal(result.code, code, result.stderr);
  assert.match(result.stderr, words);
  assert.doesNotMatch(result.stderr, /^\s+at .*:\d+/m, 'no stack trace');
  assert.equal(result.stdout, '');
}

/** What must hold of every database at every moment: sound, no gap in the feed, a key an event. */
export function checkDatabase(file: string): { keys: Set<number>; events: number } {
  return readDatabase(file, (db) => {
    db.exec('begin');
    assert.equal(db.prepare('pragma integrity_check').get()!['integrity_check'], 'ok');
    assert.equal(db.prepare('pragma foreign_key_check').all().length, 0);
    const events = db.prepare('select id, event, object_id from events order by id').all();
    assert.deepEqual(
      events.map((event) => event['id']),
      events.map((_, index) => index + 1),
      'the ids of the feed have no gap',
    );
    const keys = db.prepare('select id from api_keys order by id').all();
    assert.deepEqual(
      events
        .filter((event) => event['event'] === 'key.created')
        .map((event) => Number(event['object_id']))
        .sort((a, b) => a - b),
      keys.map((key) => Number(key['id'])),
      'every key has exactly one event key.created',
    );
    return { keys: new Set(keys.map((key) => Number(key['id']))), events: events.length };
  });
}

/** A client that makes one key after the other on a connection of its own until it is told to stop. */
export class KeyMaker {
  readonly made: { id: number; token: string }[] = [];
  inFlight = false;
  readonly #agent = new https.Agent({ keepAlive: true, maxSockets: 1 });
  /** Resolves when the last answer has come; rejects when one did not. */
  readonly ended: Promise<void>;
  #stopped = false;

  constructor(server: Server, key: string) {
    this.ended = this.#work(server, key).finally(() => this.#agent.destroy());
  }

  stop(): Promise<void> {
    this.#stopped = true;
    return this.ended;
  }

  async #work(server: Server, key: string): Promise<void> {
    while (!this.#stopped) {
      this.inFlight = true;
      const reply = await server.call('/keys', {
        method: 'POST',
        key,
        json: {},
        agent: this.#agent,
      });
      this.inFlight = false;
      assert.equal(reply.status, 201, reply.text);
      this.made.push({ id: reply.body.id, token: reply.body.token });
    }
  }
}

/** One for all tests: it takes a third off the time that a command needs to start. */
const COMPILE_CACHE = join(tmpdir(), 'tributary-test-compile-cache');

function launch(args: string[], options: ProcessOptions): ChildProcess {
  const node = options.node ?? [process.execPath];
  return launchNode([...node, options.program ?? program, ...args], options);
}

function launchNode([node, ...args]: string[], options: ProcessOptions): ChildProcess {
  const child = spawn(node!, args, {
    cwd: options.cwd ?? tempFolder(),
    env: { ...cleanEnvironment(), NODE_COMPILE_CACHE: COMPILE_CACHE, ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: options.ownGroup ?? false,
  });
  killers.push(() => child.kill(options.ownGroup ? 'SIGTERM' : 'SIGKILL'));
  return child;
}

function cleanEnvironment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^(TRIBUTARY_|NODE_TEST)/.test(name),
  );
  return Object.fromEntries(kept);
}

function collect(child: ChildProcess): { stdout: string; stderr: string } {
  const output = { stdout: '', stderr: '' };
  child.stdout!.setEncoding('utf8').on('data', (text: string) => (output.stdout += text));
  child.stderr!.setEncoding('utf8').on('data', (text: string) => (output.stderr += text));
  return output;
}

function bodyOf({ json, form }: CallOptions): string | undefined {
  if (form) return new URLSearchParams(form).toString();
  return json === undefined ? undefined : JSON.stringify(json);
}

function headersOf(options: CallOptions): Record<string, string> {
  return {
    ...(options.key !== undefined && { authorization: `Bearer ${options.key}` }),
    ...(options.basic !== undefined && {
      authorization: `Basic ${Buffer.from(options.basic).toString('base64')}`,
    }),
    ...(options.json !== undefined && { 'content-type': 'application/json' }),
    ...(options.form && { 'content-type': 'application/x-www-form-urlencoded' }),
    ...options.headers,
  };
}
