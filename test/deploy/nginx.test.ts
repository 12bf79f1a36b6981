import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import { connect } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, test, type TestContext } from 'node:test';
import { loadCertificate } from '../../src/installation/certificate.ts';
import { resolveConfig } from '../../src/installation/config.ts';
import { dataFolder } from '../../src/installation/data-folder.ts';
import { findProgram, programEnvironment, type Program } from '../support/debian-packages.ts';
import { eventually } from '../support/eventually.ts';
import { freePort } from '../support/free-port.ts';
import { openTestApp, type TestApp } from '../support/harness.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { root } from './compose-file.ts';
import { nginx } from './programs.ts';

// deploy/nginx.conf in a real nginx before a running service. Both listen on the loopback address.

const HOST = 'affiliates.example.com';
/** Not the address of nginx, so that the two can be told apart. */
const CLIENT = '127.0.0.5';
/** From where the server of the store calls. */
const STORE = '127.0.0.6';

interface Reply {
  status: number;
  headers: http.IncomingHttpHeaders;
  text: string;
}

const app: TestApp = await openTestApp({ config: { publicUrl: `https://${HOST}` } });
const key = await app.key('admin', 'read,write,manage');
const folder = tempFolder();
const ports = { plain: await freePort(), tls: await freePort(), store: await freePort() };
let program: Program | undefined;
let reason = '';
let stop = async () => {};

before(async () => {
  try {
    program = findProgram(nginx);
  } catch (error) {
    reason = `NOT TESTED without nginx: ${(error as Error).message}`;
    return;
  }
  await writeConfiguration();
  const server = spawn(program.path, [...words(), '-g', 'daemon off; master_process off;'], {
    env: programEnvironment(program),
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  stop = async () => {
    const ended = server.exitCode === null ? once(server, 'exit') : undefined;
    server.kill('SIGKILL');
    await ended;
  };
  await eventually(async () => {
    assert.equal(server.exitCode, null, 'nginx runs');
    const socket = connect(ports.tls, '127.0.0.1');
    await once(socket, 'connect');
    socket.destroy();
  });
});
after(() => stop());

const words = () => ['-p', folder, '-e', 'stderr', '-c', join(folder, 'nginx.conf')];

/** The committed file with other ports and paths, inside the frame that the distribution brings. */
async function writeConfiguration(): Promise<void> {
  const { config } = resolveConfig({ publicUrl: `https://${HOST}` }, {});
  const pair = (await loadCertificate(config, dataFolder(folder)))!;
  writeFileSync(join(folder, 'fullchain.pem'), pair.cert);
  writeFileSync(join(folder, 'privkey.pem'), pair.key, { mode: 0o600 });
  const { path, trusted } = pathOfStore();
  const site = readFileSync(join(root, 'deploy/nginx.conf'), 'utf8')
    .replaceAll(/listen \[::\]:.*\n/g, '')
    .replace('listen 80;', `listen 127.0.0.1:${ports.plain};`)
    .replace('listen 443 ssl;', `listen 127.0.0.1:${ports.tls} ssl;`)
    .replace('server 127.0.0.1:8443;', `server 127.0.0.1:${new URL(app.url).port};`)
    .replaceAll(`/etc/letsencrypt/live/${HOST}/`, `${folder}/`)
    .replace('client_max_body_size', `${trusted}\nclient_max_body_size`);
  const store = `server {
    listen 127.0.0.1:${ports.store} ssl;
    ssl_certificate ${folder}/fullchain.pem;
    ssl_certificate_key ${folder}/privkey.pem;
    proxy_bind ${STORE};
    ${path}
    location / { return 404; }
  }`;
  const kinds = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  for (const kind of kinds) mkdirSync(join(folder, kind));
  const paths = kinds.map((kind) => `${kind}_temp_path ${folder}/${kind};`).join('\n');
  writeFileSync(
    join(folder, 'nginx.conf'),
    `pid ${folder}/nginx.pid;\nevents {}\nhttp {\naccess_log off;\n${paths}\n${site}\n${store}}\n`,
  );
}

/** What the guide puts into the store's own nginx, and into the one before the service. */
function pathOfStore(): { path: string; trusted: string } {
  const guide = readFileSync(join(root, 'docs/guides/links-and-clicks.md'), 'utf8');
  const [path, trusted] = [...guide.matchAll(/```nginx\n([^]*?)```/g)].map(([, text]) => text!);
  return {
    path: path!.replace(
      `proxy_pass https://${HOST};`,
      `proxy_pass https://127.0.0.1:${ports.tls};`,
    ),
    trusted: trusted!.replace('203.0.113.10', STORE),
  };
}

function ask(
  path: string,
  headers: Record<string, string> = {},
  body?: string,
  port = ports.tls,
): Promise<Reply> {
  const request = https.request({
    host: '127.0.0.1',
    localAddress: CLIENT,
    port,
    path,
    rejectUnauthorized: false,
    servername: HOST,
    agent: false,
    method: body === undefined ? 'GET' : 'POST',
    headers: { host: HOST, ...headers },
  });
  return replyTo(request, body);
}

async function replyTo(request: http.ClientRequest, body?: string): Promise<Reply> {
  request.end(body);
  const [response] = (await once(request, 'response')) as [http.IncomingMessage];
  let text = '';
  for await (const chunk of response) text += String(chunk);
  return { status: response.statusCode!, headers: response.headers, text };
}

function withNginx(name: string, run: () => Promise<void>): void {
  test(name, async (t: TestContext) => (program ? run() : t.skip(reason)));
}

describe('deploy/nginx.conf', () => {
  withNginx('nginx accepts it without a warning', async () => {
    const { status, stderr } = spawnSync(program!.path, [...words(), '-t'], {
      encoding: 'utf8',
      env: programEnvironment(program!),
    });
    assert.equal(status, 0, stderr);
    assert.doesNotMatch(stderr, /\[(warn|error|emerg|crit)\]/);
  });

  withNginx('an API key works over https', async () => {
    const { status, text } = await ask('/svc/v2/me', { authorization: `Bearer ${key}` });
    assert.deepEqual([status, JSON.parse(text).user.login], [200, 'admin']);
  });

  const overHttp = async (path: string) => {
    const to = { host: '127.0.0.1', port: ports.plain, path, agent: false };
    const { status, headers } = await replyTo(http.request({ ...to, headers: { host: HOST } }));
    return [status, headers.location];
  };

  withNginx('plain http leads to https on pages, and on nothing that programs call', async () => {
    for (const path of ['/', '/?lang=de', '/apply?x=1', '/r/MAYA10', '/app/login', '/console']) {
      assert.deepEqual(await overHttp(path), [301, `https://${HOST}${path}`]);
    }
    for (const path of ['/svc/v2/me', '/session', '/connect/stripe/1', '/metrics', '/t', '/apps']) {
      assert.deepEqual(await overHttp(path), [403, undefined], path);
    }
  });

  withNginx('the service sees the address of the client, whatever the client claims', async () => {
    const claimed = '203.0.113.9';
    const { status } = await ask('/svc/v2/me', {
      authorization: 'Bearer svc_wrong',
      'x-forwarded-for': claimed,
      forwarded: `for=${claimed}`,
      'x-real-ip': claimed,
    });
    assert.equal(status, 401);
    await eventually(() => {
      assert.ok(app.logs.some((line) => line.includes(`"address":"${CLIENT}"`)));
    });
    assert.ok(!app.logs.some((line) => line.includes(claimed)));
  });

  withNginx('a claim to have come over http changes nothing', async () => {
    const { status } = await ask('/svc/v2/me', {
      authorization: `Bearer ${key}`,
      'x-forwarded-proto': 'http',
    });
    assert.equal(status, 200);
  });

  withNginx('a body that is too large is refused by the service, in its own words', async () => {
    const body = JSON.stringify({ text: 'x'.repeat(1024 * 1024) });
    const { status, text } = await ask(
      '/svc/v2/keys',
      { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body,
    );
    assert.deepEqual([status, JSON.parse(text).data.status], [413, 413]);
  });

  withNginx('two paths of the store lead to the script, with a cookie of the store', async () => {
    const claimed = '203.0.113.7';
    const fromStore = (path: string, headers: Record<string, string> = {}, body?: string) =>
      ask(
        `/partners${path}`,
        { host: 'store.example', 'x-forwarded-for': claimed, ...headers },
        body,
        ports.store,
      );
    const script = await fromStore('/t.js');
    assert.equal(script.status, 200);
    assert.match(script.headers['content-type']!, /javascript/);
    const page = {
      'content-type': 'application/x-www-form-urlencoded',
      origin: 'https://store.example',
      'sec-fetch-site': 'same-origin',
    };
    const beacon = 'code=MAYA10&visitor=t.4c1fj20x8r5m7q3kz9wa';
    app.logs.splice(0);
    const { status, headers } = await fromStore('/t', page, beacon);
    assert.equal(status, 202);
    assert.match(headers['set-cookie']![0]!, /^tributary=.*; Path=\/; Secure; SameSite=Lax$/);
    // Limits are counted by the visitor's address, not by that of the store or one that the visitor claims.
    await eventually(() => {
      assert.ok(app.logs.some((line) => line.includes(`"address":"${CLIENT}"`)));
    });
    assert.ok(!app.logs.some((line) => line.includes(claimed) || line.includes(STORE)));
    // The rest of the service stays on its own host.
    for (const path of ['/svc/v2/me', '/app/login', '/session', '/t/x', '/t.json', '/']) {
      assert.equal((await fromStore(path)).status, 404, path);
    }
  });

  withNginx('an export is passed on whole', async () => {
    const path = '/svc/store/v1/exports/affiliates.csv';
    const { status, headers, text } = await ask(path, { authorization: `Bearer ${key}` });
    assert.equal(status, 200);
    assert.match(headers['content-type']!, /^text\/csv/);
    assert.match(text, /\n$/);
  });
});
