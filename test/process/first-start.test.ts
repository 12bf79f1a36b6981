import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { generate } from 'selfsigned';
import { dataFolder } from '../../src/installation/data-folder.ts';
import { skipOnServer, testOnFile, testOnServer } from '../postgres/file-or-server.ts';
import { tempFolder } from './launch.ts';
import { assertRefused, install, runEach, runHere, USAGE, type Result } from './run.ts';
import { startServer, type Server } from './running-server.ts';

/** On a server. */
const ANY_NUMBER = 'a database on a server has any number of instances';
const PASSWORD = 'correct horse battery';
const freshFolder = () => join(tempFolder(), 'new', 'data');
const modeOf = (file: string) => (statSync(file).mode & 0o777).toString(8);
const setupPath = (server: Server) => {
  const link = /https?:\/\/\S+\/setup\?token=\S+/.exec(server.output.stdout)?.[0];
  return link && `~${link.slice(new URL(link).origin.length)}`;
};
const tokenIn = (path: string) => new URLSearchParams(path.split('?')[1]).get('token')!;
const administrator = (token: string) => ({
  token,
  login: 'ann',
  email: 'ann@test.example',
  password: PASSWORD,
  store_name: 'Alpine Store',
  store_url: 'https://alpine.example',
  currency: 'EUR',
  timezone: 'Europe/Vienna',
});
const signIn = (server: Server, login: string, password: string) =>
  server.call('~/session', { method: 'POST', json: { login, password } });

/** Of suites about certificates and flags, which no database changes. */
const skip = skipOnServer('no database is asked');

describe('starting', { concurrency: 3 }, () => {
  test('loads no validator of Fastify, which has 170 modules', async () => {
    const folder = tempFolder();
    const [hook, list] = [join(folder, 'hook.cjs'), join(folder, 'loaded.json')];
    const write = `require('node:fs').writeFileSync(${JSON.stringify(list)}, JSON.stringify(Object.keys(require.cache)))`;
    writeFileSync(hook, `process.on('exit', () => ${write});`);
    const node = [process.execPath, '--require', hook];
    await (await startServer(freshFolder(), [], { node })).stop();
    const loaded = JSON.parse(readFileSync(list, 'utf8')) as string[];
    const of = (name: string) => loaded.filter((file) => file.includes(`/node_modules/${name}/`));
    assert.ok(of('fastify').length > 0);
    assert.deepEqual(of('ajv'), []);
  });

  describe('the first start', { concurrency: 1 }, () => {
    const data = freshFolder();
    const folder = dataFolder(data);
    let server: Server;
    let link: string;
    before(async () => {
      server = await startServer(data);
      link = setupPath(server)!;
    });

    test('makes the folder for its owner alone, and the secrets unreadable for others', () => {
      assert.equal(modeOf(data), '700');
      assert.equal(modeOf(folder.secretFile), '600');
      assert.equal(modeOf(folder.certificateKeyFile), '600');
    });

    testOnFile('and the database as well', 'there is no file', () => {
      const { databaseFile: file, lockFile } = folder;
      for (const path of [file, `${file}-wal`, `${file}-shm`, lockFile]) {
        assert.equal(modeOf(path), '600', path);
      }
    });

    testOnServer('makes no database in the folder', () => {
      assert.deepEqual(readdirSync(data).sort(), [
        'secret.key',
        'server.url',
        'tls-cert.pem',
        'tls-key.pem',
      ]);
    });

    test('makes a certificate for this machine under all its names', () => {
      const certificate = new X509Certificate(server.ca!);
      assert.ok(certificate.checkHost('localhost'));
      assert.ok(certificate.checkIP('127.0.0.1'));
      assert.ok(certificate.checkIP('::1'));
      assert.equal(certificate.checkHost('example.com'), undefined);
      assert.equal(certificate.ca, false, 'it cannot sign other certificates');
      assert.ok(Date.parse(certificate.validTo) > Date.now() + 300 * 86_400_000);
    });

    test('prints its address, and is ready there', async () => {
      assert.match(server.url, /^https:\/\/localhost:\d+$/);
      assert.match(server.output.stdout, new RegExp(`Data +${data}`));
      const ready = await server.call('~/readyz');
      assert.equal(ready.status, 200, ready.text);
    });

    test('prints a setup link', () => {
      assert.match(link, /^~\/setup\?token=[0-9A-Za-z]{32}$/);
      assert.ok(!server.output.stderr.includes(tokenIn(link)), 'the log does not hold it');
    });

    testOnFile(
      'a second server on the folder is refused, and the first goes on',
      ANY_NUMBER,
      async () => {
        const second = await runHere(['start', '--data', data, '--port', '0']);
        assertRefused(
          second,
          USAGE,
          /^tributary: Another server is running on \S+data\. .*--data/m,
        );
        const form = await server.call(link);
        assert.equal(form.status, 200, 'its setup link is still valid');
      },
    );

    testOnServer('a second server on the folder is another instance of the same', async () => {
      const second = await startServer(data);
      assert.equal(second.ca, server.ca);
      for (const each of [server, second]) {
        assert.equal((await each.call('~/readyz')).status, 200);
        assert.equal((await each.call(setupPath(second)!)).status, 200);
        assert.equal((await each.call(link)).status, 410, 'the newest link counts');
      }
      link = setupPath(second)!;
      assert.equal((await second.stop()).code, 0);
    });

    test('a start without an administrator prints a new link, which ends the old one', async () => {
      await server.stop();
      server = await startServer(data);
      const next = setupPath(server)!;
      assert.notEqual(next, link);
      assert.equal((await server.call(link)).status, 410);
      assert.equal((await server.call(next)).status, 200);
    });

    test('the link shows a form that makes the administrator and signs it in', async () => {
      const path = setupPath(server)!;
      const form = await server.call(path);
      assert.equal(form.status, 200);
      assert.match(form.headers['content-type']!, /^text\/html/);
      assert.match(form.text, /<form[^>]* method="post" action="\/setup\/step">/);
      const token = tokenIn(path);
      assert.ok(form.text.includes(`name="token" value="${token}"`));

      const short = { ...administrator(token), password: 'short' };
      const refused = await server.call('~/setup', { method: 'POST', form: short });
      assert.equal(refused.status, 400, 'a mistake does not use it up');

      const made = await server.call('~/setup', { method: 'POST', form: administrator(token) });
      assert.equal(made.status, 200, made.text);
      const [cookie] = made.headers['set-cookie']!;
      assert.match(cookie!, /^__Host-\w+=[^;]+; .*HttpOnly/i);
      assert.match(cookie!, /; Secure/i);
      const me = await server.call('/me', { headers: { cookie: cookie!.split(';')[0]! } });
      assert.equal(me.status, 200, me.text);
      assert.equal(me.body.role, 'administrator');
      assert.equal(me.body.user.login, 'ann');
      assert.equal((await signIn(server, 'ann', PASSWORD)).status, 201);
    });

    test('the link works once', async () => {
      const path = setupPath(server)!;
      assert.equal((await server.call(path)).status, 410);
      const again = { ...administrator(tokenIn(path)), login: 'eve', email: 'eve@test.example' };
      const second = await server.call('~/setup', { method: 'POST', form: again });
      assert.equal(second.status, 410);
      assert.equal(second.headers['set-cookie'], undefined);
      assert.equal((await signIn(server, 'eve', PASSWORD)).status, 401);
    });

    test('after kill -9 it starts again and prints no link', async () => {
      const { ca } = server;
      assert.equal((await server.stop('SIGKILL')).signal, 'SIGKILL');
      server = await startServer(data);
      assert.equal(setupPath(server), undefined);
      assert.doesNotMatch(server.output.stderr, /"level":"(warn|error|fatal)"/);
      assert.equal(server.ca, ca, 'the certificate is kept');
      assert.equal((await server.call('~/readyz')).status, 200);
      assert.equal((await signIn(server, 'ann', PASSWORD)).status, 201);
    });

    testOnFile(
      'without its secret the database is of no use, and no new secret is made',
      'the next test covers a server',
      async () => {
        await server.stop();
        rmSync(folder.secretFile);
        const files = readdirSync(data);
        const result = await runHere(['start', '--data', data, '--port', '0']);
        assertRefused(result, USAGE, /secret\.key is missing, .* from the backup/);
        assert.deepEqual(readdirSync(data), files);
      },
    );

    testOnServer('without the secret that the database was made with it is of no use', async () => {
      await server.stop();
      rmSync(folder.secretFile);
      for (const _ of ['with the first start', 'with the next']) {
        const result = await runHere(['start', '--data', data, '--port', '0']);
        assertRefused(result, USAGE, /secret\.key .* is not the one .* Put the right one there/);
      }
    });
  });

  describe('the first administrator, unattended', { concurrency: 1 }, () => {
    const passwordFile = join(tempFolder(), 'password');
    writeFileSync(passwordFile, `${PASSWORD}\n`);
    const env = {
      TRIBUTARY_ADMIN_EMAIL: 'root@test.example',
      TRIBUTARY_ADMIN_LOGIN: 'root',
      TRIBUTARY_ADMIN_PASSWORD_FILE: passwordFile,
    };

    test('is created at the first start, and reported as ignored later', async () => {
      const data = freshFolder();
      const first = await startServer(data, [], { env });
      assert.equal(setupPath(first), undefined, 'no link is needed');
      const session = await signIn(first, 'root', PASSWORD);
      assert.equal(session.status, 201, session.text);
      assert.equal(session.body.role, 'administrator');
      assert.equal(session.body.user.email, 'root@test.example');
      const shown = first.output.stdout + first.output.stderr;
      assert.ok(!shown.includes(PASSWORD), 'the password is not shown');
      await first.stop();

      writeFileSync(passwordFile, 'another horse battery\n');
      const second = await startServer(data, [], { env });
      assert.match(second.output.stderr, /TRIBUTARY_ADMIN_EMAIL is ignored/);
      assert.equal((await signIn(second, 'root', PASSWORD)).status, 201);
      assert.equal((await signIn(second, 'root', 'another horse battery')).status, 401);
    });
  });

  describe('TLS', { concurrency: 1, skip }, () => {
    test('off: plain HTTP, over which keys and passwords are refused', async () => {
      const { data, key } = await install();
      const { certificateFile } = dataFolder(data);
      rmSync(certificateFile, { force: true });
      const server = await startServer(data, ['--tls', 'off']);
      assert.match(server.url, /^http:/);
      assert.ok(!existsSync(certificateFile), 'no certificate is made');
      assert.equal((await server.call('~/healthz')).status, 200);
      for (const credential of [{ key }, { basic: 'admin:whatever' }]) {
        const me = await server.call('/me', credential);
        assert.equal(me.status, 401);
        assert.equal(me.body.code, 'svc_api_https_required');
      }
      // This machine is not a trusted proxy.
      const spoofed = await server.call('/me', { key, headers: { 'x-forwarded-proto': 'https' } });
      assert.equal(spoofed.body.code, 'svc_api_https_required');
    });

    test('files: serves with the given certificate; --json prints the same as JSON', async () => {
      const files = tempFolder();
      const [cert, key] = [join(files, 'cert.pem'), join(files, 'key.pem')];
      const made = await generate([{ name: 'commonName', value: 'shop.test' }], {
        keyType: 'ec',
        extensions: [{ name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] }],
      });
      writeFileSync(cert, made.cert);
      writeFileSync(key, made.private);
      const data = freshFolder();
      const given = ['--tls', 'files', '--tls-cert', cert, '--tls-key', key];
      const server = await startServer(data, [...given, '--json']);
      server.ca = made.cert;
      assert.equal((await server.call('~/healthz')).status, 200);
      assert.ok(!existsSync(dataFolder(data).certificateFile), 'none is made');
      const { setup_link: link, ...rest } = JSON.parse(server.output.stdout);
      const { url } = server;
      const [api, docs] = [`${url}/svc/v2`, `${url}/docs`];
      assert.deepEqual(rest, {
        url,
        api,
        docs,
        data,
        certificate: null,
        first_administrator: null,
      });
      assert.ok(link.startsWith(`${url}/setup?token=`));
    });
  });

  describe('refused in words that say what to do', { concurrency: 1, skip }, () => {
    const given = tempFolder();
    const start = (...flags: string[]) => [
      'start',
      '--port',
      '0',
      '--data',
      freshFolder(),
      ...flags,
    ];
    const inFile = (name: string, text: string) => {
      writeFileSync(join(given, name), text);
      return join(given, name);
    };
    const unattended = (email: string, file: string) =>
      start('--admin-email', email, '--admin-password-file', file);
    const own = (file: string) => ['--tls', 'files', '--tls-cert', file, '--tls-key', file];
    const damaged = join(given, 'damaged');
    mkdirSync(damaged);
    writeFileSync(dataFolder(damaged).secretFile, 'short\n', { mode: 0o600 });

    const cases: [string, string[], RegExp][] = [
      [
        "the first administrator's password is too short",
        unattended('root@test.example', inFile('short', 'short\n')),
        /12 to 200 characters/,
      ],
      [
        "the first administrator's password file is missing",
        unattended('root@test.example', '/nowhere'),
        /\/nowhere/,
      ],
      [
        "the first administrator's address is none",
        unattended('root', inFile('password', PASSWORD)),
        /e-?mail/i,
      ],
      [
        'TLS files are not given',
        start('--tls', 'files'),
        /TRIBUTARY_TLS_CERT and TRIBUTARY_TLS_KEY/,
      ],
      ['TLS files are missing', start(...own('/nowhere')), /\/nowhere cannot be read/],
      ['TLS files hold something else', start(...own(inFile('some.pem', 'words\n'))), /some\.pem/],
      [
        'the data folder is a file',
        ['start', '--port', '0', '--data', inFile('data', '')],
        /data\b.*--data/,
      ],
      ['the secret is damaged', ['start', '--port', '0', '--data', damaged], /secret\.key/],
      [
        'the address is not one of this machine',
        start('--host', '192.0.2.1'),
        /192\.0\.2\.1.*--host/,
      ],
    ];
    let results: Result[];
    before(async () => {
      results = await runEach(cases.map(([, args]) => ({ args })));
    });
    for (const [i, [why, , words]] of cases.entries()) {
      test(why, () => assertRefused(results[i]!, USAGE, words));
    }

    test('a damaged secret is kept as it is', () => {
      assert.equal(readFileSync(dataFolder(damaged).secretFile, 'utf8'), 'short\n');
    });

    test('the port is in use', async () => {
      const other = createServer().listen(0, '127.0.0.1');
      after(() => other.close());
      await new Promise((resolve) => other.once('listening', resolve));
      const { port } = other.address() as AddressInfo;
      const result = await runHere(['start', '--data', freshFolder(), '--port', String(port)]);
      assertRefused(result, USAGE, new RegExp(`Port ${port} is in use.*--port`));
    });
  });
});
