import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import manifest from '../../package.json' with { type: 'json' };
import { eventually } from '../support/eventually.ts';
import { collect, ended, inTheEnd, launch, tempFolder } from './launch.ts';
import { run, runJson } from './run.ts';
import { startServer } from './running-server.ts';

const project = join(import.meta.dirname, '../..');
const { scripts } = manifest;
const folder = tempFolder();
const installed = join(folder, 'node_modules', manifest.name);
const program = join(folder, 'node_modules/.bin/tributary');
const data = join(folder, 'data');
const options = { program, cwd: folder };

/** Each command once, in an order in which they succeed; `start`, `worker` and `demo` run until they are stopped. */
const commands: [args: string[], printed: RegExp][] = [
  [['setup'], /\/setup\?token=/],
  [['admin', 'create', '--login', 'ann', '--email', 'ann@test.example'], /ann/],
  [['keys', 'create', '--user', 'ann', '--scopes', 'read'], /\bread\b/],
  [['passwords', 'create', '--user', 'ann'], /ann/],
  [['settings', 'get', 'api.rate_per_minute'], /\d/],
  [['config'], /TRIBUTARY_DATA/],
  [['openapi'], /"openapi"/],
  [['import', 'orders', 'orders.csv'], /1/],
  [['generate', '--orders', '10', '--coupons', '2', '--add'], /10/],
  [['rewards', 'list'], /earn/],
  [['stores', 'list'], /store/],
  [['cases', 'list'], /cases/],
  [['verify'], /agrees/],
  [['backup', 'copy.db'], /copy\.db/],
  [['restore', 'copy.db', '--data', join(folder, 'restored')], /restored/],
];

describe('the package', () => {
  before(async () => {
    const npm = promisify(execFile);
    // Packing would build the program again, which the run of the tests has done.
    assert.deepEqual(
      [scripts.prepack, scripts.build],
      ['npm run build', 'node scripts/build.js --all'],
    );
    const build = npm(process.execPath, ['scripts/build.js', '--types'], { cwd: project });
    await inTheEnd(build, 'building');
    const pack = ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder];
    await inTheEnd(npm('npm', pack, { cwd: project }), 'npm pack');
    const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz'))!;
    writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
    writeFileSync(
      join(folder, 'orders.csv'),
      'order_id,date,status,total\n900001,2026-01-01T00:00:00Z,completed,10\n',
    );
    const flags = ['--omit=dev', '--prefer-offline', '--no-audit', '--no-fund', '--silent'];
    const install = npm('npm', ['install', ...flags, join(folder, tarball)], { cwd: folder });
    await inTheEnd(install, 'npm install');
  });

  test('has the build and no sources or tests', () => {
    const entries = readdirSync(installed).filter(
      (name) => !/\.md$|LICENSE|package.json/.test(name),
    );
    assert.deepEqual(entries.toSorted(), ['bin', 'deploy', 'dist']);
    const built = readdirSync(join(installed, 'dist'));
    for (const name of ['LICENSES.txt', 'tributary-for-woocommerce.php']) {
      assert.ok(built.includes(name), name);
    }
  });

  test('names every library that runs, as the lock file has it', () => {
    const read = (file: string) => JSON.parse(readFileSync(file, 'utf8'));
    const bill = read(join(installed, 'dist/sbom.cdx.json'));
    assert.deepEqual(
      [bill.bomFormat, bill.metadata.component.version],
      ['CycloneDX', manifest.version],
    );
    const packages = Object.entries<any>(read(join(project, 'package-lock.json')).packages);
    const locked = new Set(
      packages.map(
        ([path, { version, integrity }]) =>
          `${path.split('node_modules/').at(-1)} ${version} ${integrity}`,
      ),
    );
    for (const { name, version, purl, hashes } of bill.components) {
      assert.equal(purl, `pkg:npm/${name.replace('@', '%40')}@${version}`);
      const hash = Buffer.from(hashes[0].content, 'hex').toString('base64');
      assert.ok(locked.has(`${name} ${version} sha512-${hash}`), purl);
    }
    const names = new Set(bill.components.map(({ name }: { name: string }) => name));
    // Of the program, of the portal, and of a command that is loaded on demand.
    for (const name of ['fastify', 'preact', '@simplewebauthn/browser', 'stripe', 'pg']) {
      assert.ok(names.has(name), name);
    }
    // Tools are not part of it.
    for (const name of ['esbuild', 'typescript', 'knip']) assert.ok(!names.has(name), name);
    const purls = bill.components.map(({ purl }: { purl: string }) => purl);
    assert.deepEqual(bill.dependencies[0].dependsOn, purls);
    assert.equal(new Set(purls).size, purls.length);
  });

  test('every command runs', async () => {
    const help = await run(['--help'], options);
    const listed = [...help.stdout.matchAll(/^ {2}([a-z-]+) (?:\[options\]| {2,})/gm)];
    const names = listed.map(([, name]) => name!).filter((name) => name !== 'help');
    const tested = [...commands.map(([[name]]) => name), 'start', 'worker', 'demo'];
    assert.deepEqual(names.toSorted(), [...tested, 'migrate-db', 'webhooks'].toSorted());
    // The data folder is created by the first start.
    const server = await startServer(data, ['--tls', 'off'], options);
    assert.equal((await server.call('~/readyz')).status, 200);
    await server.stop();
    for (const [args, printed] of commands) {
      const own = args.includes('--data') ? args : [...args, '--data', data];
      const { code, stdout, stderr } = await run(own, options);
      assert.equal(code, 0, `${args.join(' ')}: ${stderr}`);
      assert.match(stdout + stderr, printed, args.join(' '));
    }
  });

  test('takes an order, and an order earns its commission', async () => {
    const server = await startServer(data, [], options);
    const scopes = ['--scopes', 'read,write', '--data', data];
    const { token: key } = await runJson(['keys', 'create', '--user', 'ann', ...scopes], options);
    const affiliate = { login: 'friend', email: 'friend@test.example', coupon: { code: 'FRIEND' } };
    const made = await server.call('~/svc/store/v1/affiliates', {
      method: 'POST',
      key,
      json: affiliate,
    });
    assert.equal(made.status, 201, made.text);
    const order = { date: '2026-11-18T10:00:00', status: 'completed', total: 50 };
    const taken = await server.call('~/svc/store/v1/orders/1042', {
      method: 'PUT',
      key,
      json: { ...order, coupon_codes: ['FRIEND'] },
    });
    assert.equal(taken.body.referrals[0].commission, 5, taken.text);
    await server.stop();
  });

  test('shows the guides with their pictures, and has them as Markdown', async () => {
    const server = await startServer(data, [], options);
    const page = await server.call('~/help/owner');
    const [, picture] = /<img src="([^"]+)"/.exec(page.text)!;
    for (const path of ['/help', '/help?q=payout', '/help/owner.md', '/llms.txt', picture!]) {
      assert.equal((await server.call(`~${path}`)).status, 200, path);
    }
    await server.stop();
  });

  test('starts on the data of 0.7.0, and every balance agrees', async () => {
    const upgraded = join(folder, 'of-0.7.0');
    mkdirSync(upgraded, { mode: 0o700 });
    const file = join(project, 'test/upgrades/0.7.0-sqlite.sql.gz');
    const sql = gunzipSync(readFileSync(file)).toString();
    const secret = Buffer.from(/^-- secret (.+)$/m.exec(sql)![1]!, 'base64');
    writeFileSync(join(upgraded, 'secret.key'), secret, { mode: 0o600 });
    const db = new DatabaseSync(join(upgraded, 'tributary.db'), {
      enableForeignKeyConstraints: false,
    });
    db.exec(sql);
    db.close();
    const server = await startServer(upgraded, ['--tls', 'off'], options);
    assert.equal((await server.call('~/readyz')).status, 200);
    await server.stop();
    const { code, stdout, stderr } = await run(['verify', '--data', upgraded], options);
    assert.equal(code, 0, stderr);
    assert.match(stdout + stderr, /agrees/);
  });

  test('commands that need a server fail in words where there is none', async () => {
    for (const args of [
      ['migrate-db', '--to', 'postgres://user@127.0.0.1:1/none'],
      ['webhooks', 'trigger', 'payout.paid', '--forward-to', 'http://127.0.0.1:1/hook'],
    ]) {
      const { code, stderr } = await run([...args, '--data', data], options);
      assert.notEqual(code, 0, stderr);
      assert.match(stderr, /127\.0\.0\.1:1|ECONNREFUSED/);
      assert.doesNotMatch(stderr, /^\s+at .*:\d+/m, 'no stack trace');
    }
  });

  test('serves HTTPS with a certificate of its own, and a worker beside it', async () => {
    const server = await startServer(data, ['--worker', 'off'], options);
    const { token } = await runJson(
      ['keys', 'create', '--user', 'ann', '--scopes', 'read', '--data', data],
      options,
    );
    const me = await server.call('/me', { key: token });
    assert.equal(me.body.user.login, 'ann');
    const worker = await launch(['worker', '--data', data], options);
    const output = collect(worker);
    await eventually(() => assert.match(output.stdout, /Working on/));
    worker.kill('SIGTERM');
    assert.equal((await inTheEnd(ended(worker), 'the worker')).code, 0, output.stderr);
    assert.deepEqual(await server.stop(), { code: 0, signal: null });
  });

  test('runs the demo', async () => {
    const demo = await startServer(join(folder, 'demo-data'), [], { ...options, command: 'demo' });
    assert.equal((await demo.call('~/healthz')).status, 200);
    // The build must contain what printing loads on demand: the library and the fonts.
    const key = /API key of maya .* (svc_\w+)$/m.exec(demo.output.stdout)![1]!;
    const { id } = (await demo.call('/me', { key })).body.user;
    const pdf = await demo.call(`~/svc/store/v1/affiliates/${id}/statement.pdf`, { key });
    assert.deepEqual([pdf.status, pdf.text.slice(0, 5)], [200, '%PDF-']);
    assert.deepEqual(await demo.stop(), { code: 0, signal: null });
  });

  test('an extension in TypeScript is type-checked against the package, and loaded', async () => {
    const extension = join(folder, 'extension.ts');
    writeFileSync(
      extension,
      `import type { Extension } from '${manifest.name}/extension';

      const extension: Extension = {
        name: 'contact',
        amendOpenApi(document) {
          return { ...document, info: { title: 'Ours', version: '1' } };
        },
        onEvent(event) {
          const id: number = event.id;
          console.log(id);
        },
      };
      export default extension;

      // @ts-expect-error The types are there: a name is no number.
      export const wrong: Extension = { name: 1 };\n`,
    );
    const compilerOptions = {
      strict: true,
      noEmit: true,
      module: 'nodenext',
      target: 'esnext',
      types: ['node'],
    };
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({ compilerOptions, files: ['extension.ts'] }),
    );
    // What docs/extending.md says to install.
    for (const name of ['@types/node', 'kysely', 'typebox']) {
      const link = join(folder, 'node_modules', name);
      mkdirSync(dirname(link), { recursive: true });
      symlinkSync(join(project, 'node_modules', name), link);
    }
    const tsc = join(project, 'node_modules/typescript/bin/tsc');
    execFileSync(process.execPath, [tsc, '-p', folder, '--checkers', '1'], {
      encoding: 'utf8',
      stdio: 'pipe',
    });
    const { info } = await runJson(['openapi', '--data', data], {
      ...options,
      env: { TRIBUTARY_EXTENSIONS: extension },
    });
    assert.equal(info.title, 'Ours');
  });
});

test('a checkout without the packages that build it says in one sentence what it lacks', async () => {
  const checkout = join(tempFolder(), 'tributary');
  cpSync(join(project, 'bin'), join(checkout, 'bin'), { recursive: true });
  cpSync(join(project, 'package.json'), join(checkout, 'package.json'));
  mkdirSync(join(checkout, 'src'));
  const { code, stdout, stderr } = await run(['--version'], {
    program: join(checkout, 'bin/tributary.js'),
    cwd: checkout,
  });
  assert.deepEqual([code, stdout], [1, '']);
  assert.match(
    stderr,
    /^This checkout lacks the packages that build the program\. Run "npm ci" .+\.\n$/,
  );
});
