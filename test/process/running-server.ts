import type { ChildProcess } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import http, { type IncomingHttpHeaders } from 'node:http';
import https from 'node:https';
import { dataFolder } from '../../src/installation/data-folder.ts';
import { collect, ended, launch, inTheEnd, type Exit, type ProcessOptions } from './launch.ts';

/** Starts the service on a free loopback port and waits until it prints its address. */
export async function startServer(
  data: string,
  args: string[] = [],
  options: ProcessOptions & { command?: 'start' | 'demo' } = {},
): Promise<Server> {
  const { command = 'start' } = options;
  const all = [command, '--data', data, '--host', '127.0.0.1', ...args];
  const child = await launch(args.includes('--port') ? all : [...all, '--port', '0'], options);
  return serverOf(child, collect(child), data);
}

/** Waits until a launched service prints its address. */
export async function serverOf(
  child: ChildProcess,
  output: { stdout: string; stderr: string },
  data: string,
): Promise<Server> {
  const address = new Promise<string>((resolve, reject) => {
    // The text output ends with how to stop; with --json it is an object.
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
  return new Server(child, output, data, await inTheEnd(address, 'starting'));
}

export interface CallOptions {
  method?: string;
  key?: string;
  basic?: string;
  json?: unknown;
  form?: Record<string, string>;
  headers?: Record<string, string>;
  /** A connection to reuse; otherwise each call opens one. */
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
    return inTheEnd(end, `stopping by ${signal}`);
  }
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
