import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { makeSigningSecret, signedHeaders } from '../../src/shared/standard-webhooks.ts';
import { findProgram, programEnvironment, type ProgramSource } from '../support/debian-packages.ts';
import { eventually } from '../support/eventually.ts';
import { freePort } from '../support/free-port.ts';
import { Receiver } from '../support/receiver.ts';
import { collect, launchNode, tempFolder } from './launch.ts';
import { createKey, install } from './run.ts';
import { startServer, type Server } from './running-server.ts';

/** The receivers of docs/webhooks.md, taken from the page and run against deliveries of the service. */
const page = readFileSync(new URL('../../docs/webhooks.md', import.meta.url), 'utf8');

interface Language {
  name: string;
  fence: string;
  file: string;
  wanted?: ProgramSource;
  /** What follows the program on the command line. */
  args(file: string, port: number): string[];
}

const languages: Language[] = [
  { name: 'TypeScript', fence: 'ts', file: 'receiver.ts', args: (file) => [file] },
  {
    name: 'Python',
    fence: 'python',
    file: 'receiver.py',
    wanted: { names: ['python3'], debianPackage: 'python3', pathInPackage: 'bin/python3' },
    args: (file) => [file],
  },
  {
    name: 'PHP',
    fence: 'php',
    file: 'receiver.php',
    wanted: { names: ['php'], debianPackage: 'php-cli', pathInPackage: /\/bin\/php[\d.]*$/ },
    args: (file, port) => ['-S', `127.0.0.1:${port}`, file],
  },
];

interface Delivery {
  headers: IncomingHttpHeaders;
  body: string;
}

let data: string;
let key: string;
let server: Server;

before(async () => {
  ({ data, key } = await install({ 'webhooks.allow_private': true }));
  server = await startServer(data);
});
after(() => server.stop());

test('the page shows one receiver in each language', () => {
  for (const { fence } of languages) {
    assert.equal(page.split(`\n\`\`\`${fence}\n`).length, 2, fence);
  }
});

test('the request and the secret that the page shows belong together', () => {
  const [, head = '', body = ''] = /```http\n([^]+?)\n\n([^]+?)\n```/.exec(page) ?? [];
  const shown = Object.fromEntries(head.split('\n').map((line) => line.split(': ')));
  const [secret] = /whsec_[A-Za-z0-9+/]{43}=/.exec(page) ?? assert.fail('no secret');
  const nowMs = Number(shown['webhook-timestamp']) * 1000;
  const headers = signedHeaders(secret, { id: shown['webhook-id'], body, nowMs });
  assert.equal(shown['webhook-signature'], headers['webhook-signature']);
});

for (const language of languages) {
  const found = interpreterOf(language);
  const skip = found.reason ?? false;
  describe(`the receiver in ${language.name}`, { skip }, () => {
    let secret: string;
    let delivery: Delivery;
    let port: number;
    let said: { stdout: string; stderr: string };
    const send = (sent: Delivery) => post(port, sent);
    const signed = (by: string, nowMs: number): Delivery => {
      const id = String(delivery.headers['webhook-id']);
      const { body } = delivery;
      return { headers: signedHeaders(by, { id, body, nowMs }), body };
    };
    const withSignature = (signature: string): Delivery => ({
      ...delivery,
      headers: { ...delivery.headers, 'webhook-signature': signature },
    });

    before(async () => {
      port = await freePort();
      // Between the service and the receiver, to see what is sent and to send it again, changed.
      const between = await new Receiver().listen();
      between.answer = (_, response, received) => {
        post(port, received).then(
          (status) => response.writeHead(status).end(),
          () => response.writeHead(502).end(),
        );
      };
      const json = { url: between.url, events: ['key.created'] };
      const created = await server.call('/webhooks', { method: 'POST', key, json });
      assert.equal(created.status, 201, created.text);
      secret = created.body.secret;
      said = await startReceiver(language, found, { port, secret });
      await createKey(data, 'admin', 'read');
      const path = `~/svc/store/v1/webhooks/${created.body.id}/deliveries`;
      await eventually(async () => {
        const [only] = (await server.call(path, { key })).body;
        assert.deepEqual([only?.state, only?.code], ['delivered', 204], said.stderr);
      });
      await server.call(`/webhooks/${created.body.id}`, { method: 'DELETE', key });
      delivery = between.received[0]!;
    });

    test('accepts a delivery of the service, and can read it', async () => {
      const printed = `${delivery.headers['webhook-id']} key.created`;
      await eventually(() => assert.ok((said.stdout + said.stderr).includes(printed)));
    });

    test('accepts it among signatures of other keys and versions', async () => {
      const good = String(delivery.headers['webhook-signature']);
      const bad = String(signed(makeSigningSecret(), Date.now()).headers['webhook-signature']);
      assert.equal(await send(withSignature(`${bad} v1a,AAAA ${good}`)), 204);
      assert.equal(await send(withSignature(`${bad} v1a,AAAA`)), 400);
    });

    test('refuses a body with one bit changed', async () => {
      const bytes = Buffer.from(delivery.body);
      bytes[bytes.length - 3]! ^= 1;
      assert.equal(await send({ ...delivery, body: bytes.toString('latin1') }), 400);
    });

    test('refuses what was signed more than five minutes ago, or is from the future', async () => {
      for (const minutes of [-6, 6]) {
        assert.equal(await send(signed(secret, Date.now() + minutes * 60_000)), 400);
      }
      assert.equal(await send(signed(secret, Date.now())), 204);
    });

    test('refuses a timestamp that was changed afterwards', async () => {
      const now = String(Math.floor(Date.now() / 1000) + 1);
      const headers = { ...delivery.headers, 'webhook-timestamp': now };
      assert.equal(await send({ ...delivery, headers }), 400);
    });

    test('refuses the signature of another secret', async () => {
      assert.equal(await send(signed(makeSigningSecret(), Date.now())), 400);
      // The text of the secret instead of the bytes that it stands for.
      const asText = `whsec_${Buffer.from(secret).toString('base64')}`;
      assert.equal(await send(signed(asText, Date.now())), 400);
    });

    test('refuses a request without the headers', async () => {
      for (const name of ['webhook-id', 'webhook-timestamp', 'webhook-signature']) {
        const headers = Object.fromEntries(
          Object.entries(delivery.headers).filter(([header]) => header !== name),
        );
        assert.equal(await send({ ...delivery, headers }), 400, name);
      }
    });

    test('accepts either of two secrets while one replaces the other', async () => {
      const next = makeSigningSecret();
      port = await freePort();
      said = await startReceiver(language, found, { port, secret: `${secret} ${next}` });
      for (const by of [secret, next]) assert.equal(await send(signed(by, Date.now())), 204);
      assert.equal(await send(signed(makeSigningSecret(), Date.now())), 400);
    });
  });
}

interface Interpreter {
  path: string;
  env: Record<string, string>;
  /** Why there is none. */
  reason?: string;
}

function interpreterOf({ name, wanted }: Language): Interpreter {
  if (!wanted) return { path: process.execPath, env: {} };
  try {
    const program = findProgram(wanted);
    const env = programEnvironment(program);
    const { status, stderr } = spawnSync(program.path, ['--version'], { env, encoding: 'utf8' });
    assert.equal(status, 0, stderr);
    const libraries = program.libraries.join(':');
    return { path: program.path, env: libraries ? { LD_LIBRARY_PATH: libraries } : {} };
  } catch (error) {
    const reason = `no ${name} here: ${(error as Error).message}`;
    return { path: '', env: {}, reason };
  }
}

/** Writes the snippet to a file, runs it and waits until it listens. */
async function startReceiver(
  { fence, file, args }: Language,
  { path, env }: Interpreter,
  { port, secret }: { port: number; secret: string },
) {
  const [, code = ''] = new RegExp(`\n\`\`\`${fence}\n([^]+?)\n\`\`\`\n`).exec(page) ?? [];
  const folder = tempFolder();
  writeFileSync(join(folder, file), code);
  const child = launchNode([path, ...args(join(folder, file), port)], {
    cwd: folder,
    env: { ...env, WEBHOOK_SECRET: secret, PORT: String(port) },
  });
  const said = collect(child);
  await eventually(async () => {
    if (child.exitCode !== null) throw new Error(said.stderr);
    await new Promise<void>((resolve, reject) => {
      const socket = connect(port, '127.0.0.1', () => resolve(void socket.destroy()));
      socket.on('error', reject);
    });
  });
  return said;
}

/** The status that the receiver answers. */
function post(port: number, { headers, body }: Delivery): Promise<number> {
  const { host: _, 'content-length': __, connection: ___, ...kept } = headers;
  const bytes = Buffer.from(body, 'latin1');
  return new Promise((resolve, reject) => {
    const request = httpRequest({ host: '127.0.0.1', port, path: '/hook', method: 'POST' });
    for (const [name, value] of Object.entries(kept)) request.setHeader(name, value!);
    request.setHeader('content-length', bytes.length);
    request.on('error', reject);
    request.on('response', (response) => {
      response.resume().on('end', () => resolve(response.statusCode ?? 0));
    });
    request.end(bytes);
  });
}
