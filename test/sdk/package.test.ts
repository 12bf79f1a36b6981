import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { build } from 'esbuild';
import { publint } from 'publint';
import { Webhook } from 'standardwebhooks';
import { makeSigningSecret } from '../../src/shared/standard-webhooks.ts';
import { collect, ended, inTheEnd } from '../process/launch.ts';
import { eventually } from '../support/eventually.ts';
import { openTestApp } from '../support/harness.ts';
import { installClient, sdk, startSecureProxy } from './installed-client.ts';

const GZIP_BYTES_MAX = 8 * 1024;

const app = await openTestApp();
const service = await startSecureProxy(app.url);
const { folder, tarball } = await installClient();
const installed = join(folder, 'node_modules/tributary-client');
const environment = {
  PATH: process.env['PATH'],
  TRIBUTARY_URL: service,
  TRIBUTARY_KEY: await app.key('admin', 'read,write,manage'),
};

await app.call('/svc/store/v1/coupons', {
  method: 'POST',
  key: environment.TRIBUTARY_KEY,
  json: { code: 'MAYA10', user_id: 3 },
});

/** This Node, and the one of the machine if it is another one that the client supports. */
function nodes(): { name: string; path: string }[] {
  const system = (process.env['PATH'] ?? '')
    .split(delimiter)
    .filter((place) => place !== '' && !place.includes('node_modules'))
    .map((place) => join(place, 'node'))
    .find((file) => existsSync(file));
  const all = [process.execPath, ...(system === undefined ? [] : [system])].map((path) => ({
    path,
    name: `Node ${execFileSync(path, ['--version'], { encoding: 'utf8' }).trim()}`,
  }));
  return all.filter(
    ({ name }, index) =>
      all.findIndex((one) => one.name === name) === index && Number(/\d+/.exec(name)![0]) >= 20,
  );
}

function start(node: string, args: string[], env: NodeJS.ProcessEnv = {}) {
  const child = spawn(node, args, { cwd: folder, env: { ...environment, ...env } });
  return { child, output: collect(child), exit: ended(child) };
}

async function run(node: string, args: string[]): Promise<string> {
  const { output, exit } = start(node, args);
  assert.equal((await inTheEnd(exit, args.join(' '))).code, 0, output.stderr);
  return output.stdout + output.stderr;
}

describe('the package of the client', () => {
  test('is well-formed and its types resolve', async () => {
    const { messages } = await publint({ pkgDir: installed, pack: false, strict: true });
    assert.deepEqual(messages, []);
    const result = await checkPackage(createPackageFromTarballData(readFileSync(tarball)));
    assert.ok(result.types);
    // It is ESM only: CommonJS loads it with import(), or with require() since Node 22.
    const errors = result.problems.filter(({ kind }) => kind !== 'CJSResolvesToESM');
    assert.deepEqual(
      errors.filter((error) => !('resolutionKind' in error) || error.resolutionKind !== 'node10'),
      [],
    );
  });

  test('has no dependency, and nothing but the build', () => {
    const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as object;
    assert.ok(!('dependencies' in manifest));
    const files = globSync('*', { cwd: installed }).toSorted();
    assert.deepEqual(files, ['LICENSE', 'README.md', 'dist', 'package.json']);
  });

  test('is at most 8 kB for a browser that uses all of it', async () => {
    const { outputFiles } = await build({
      stdin: { contents: "export * from 'tributary-client';", resolveDir: folder },
      bundle: true,
      minify: true,
      format: 'esm',
      platform: 'browser',
      target: 'es2022',
      write: false,
    });
    const bytes = gzipSync(outputFiles[0]!.contents, { level: 9 }).length;
    assert.ok(bytes <= GZIP_BYTES_MAX, `${bytes} bytes`);
  });

  test('is type-checked in a strict project without the types of Node', () => {
    writeFileSync(
      join(folder, 'use.ts'),
      `import { hasCode, Tributary, type Coupon } from 'tributary-client';

      const client = new Tributary({ url: '', session: true });
      export async function codes(): Promise<string[]> {
        const found: string[] = [];
        for await (const coupon of client.coupons.list({ status: 'active' })) found.push(coupon.code);
        const first: Coupon | undefined = (await client.coupons.list()).items[0];
        return first ? [...found, first.code] : found;
      }
      export const reasonsOf = (error: unknown): Readonly<Record<string, string>> =>
        hasCode(error, 'rest_invalid_param') ? error.params : {};
      export async function couponOf(): Promise<number | undefined> {
        for await (const event of client.events.follow({ after: 0 })) {
          if (event.event === 'referral.created') return event.data.coupon_id;
        }
        return undefined;
      }
      // @ts-expect-error There is no such status.
      export const wrongStatus = () => client.coupons.list({ status: 'lost' });
      // @ts-expect-error There is no such code.
      export const wrongCode = (error: unknown) => hasCode(error, 'svc_api_not_fuond');\n`,
    );
    const compilerOptions = {
      strict: true,
      noEmit: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      module: 'nodenext',
      target: 'es2022',
      lib: ['es2022', 'dom', 'dom.iterable', 'dom.asynciterable'],
      types: [],
    };
    const config = JSON.stringify({ compilerOptions, files: ['use.ts'] });
    writeFileSync(join(folder, 'tsconfig.json'), config);
    const tsc = join(sdk, '../node_modules/typescript/bin/tsc');
    execFileSync(process.execPath, [tsc, '-p', folder, '--checkers', '1'], {
      encoding: 'utf8',
      stdio: 'pipe',
    });
  });

  test('has the examples in its README', () => {
    const readme = readFileSync(join(sdk, 'README.md'), 'utf8');
    const shown = [...readme.matchAll(/<!-- (\S+) -->\n\n```js\n([^]*?)```/g)];
    assert.deepEqual(
      Object.fromEntries(shown.map(([, name, code]) => [name, code])),
      Object.fromEntries(
        globSync('*.js', { cwd: join(sdk, 'examples') }).map((name) => [
          name,
          readFileSync(join(sdk, 'examples', name), 'utf8'),
        ]),
      ),
    );
  });
});

for (const [index, { name, path }] of nodes().entries()) {
  describe(`the examples with ${name}`, () => {
    test('read coupons and send an order', async () => {
      assert.match(await run(path, ['read-coupons.js']), /^1 of 1 coupons\nMAYA10 \S+ http/);
      assert.match(await run(path, ['send-order.js', '125']), /^Order 1042: 1 referral/);
      assert.match(await run(path, ['send-order.js', '-1']), /Not accepted: \{\s*total: /);
    });

    test('follow the events, and go on after a restart with those that are new', async () => {
      rmSync(join(folder, 'cursor.txt'), { force: true });
      const first = start(path, ['follow-events.js']);
      await eventually(() => assert.match(first.output.stdout, /New coupon 1\n/));
      await eventually(() => assert.ok(existsSync(join(folder, 'cursor.txt'))));
      first.child.kill('SIGTERM');
      assert.equal((await inTheEnd(first.exit, 'the end')).code, 0, first.output.stderr);
      const key = environment.TRIBUTARY_KEY;
      const json = { code: `NEW${index}` };
      const { body } = await app.call('/svc/store/v1/coupons', { method: 'POST', key, json });
      const second = start(path, ['follow-events.js']);
      await eventually(() => assert.equal(second.output.stdout, `New coupon ${body.id}\n`));
      second.child.kill('SIGTERM');
      assert.equal((await inTheEnd(second.exit, 'the end')).code, 0, second.output.stderr);
    });

    test('receive webhooks', async () => {
      const secret = makeSigningSecret();
      const receiver = start(path, ['receive-webhooks.js'], { WEBHOOK_SECRETS: secret, PORT: '0' });
      const port = await eventually(() => {
        const told = /Listening on (\d+)/.exec(receiver.output.stdout);
        assert.ok(told, receiver.output.stderr);
        return told[1];
      });
      const body = '{"type":"ping","timestamp":"2026-01-01T00:00:00.000Z","id":0,"data":{}}';
      const now = new Date();
      const headers = {
        'webhook-id': 'evt_1',
        'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
        'webhook-signature': new Webhook(secret).sign('evt_1', now, body),
      };
      const deliver = (text: string) =>
        fetch(`http://127.0.0.1:${port}`, { method: 'POST', headers, body: text });
      assert.equal((await deliver(body)).status, 204);
      assert.equal((await deliver(`${body} `)).status, 400);
      assert.match(receiver.output.stdout, /ping 0/);
      receiver.child.kill();
      await inTheEnd(receiver.exit, 'the end');
    });
  });
}
