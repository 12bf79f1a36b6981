import assert from 'node:assert/strict';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { configKeys } from '../../src/installation/config-keys.ts';
import { dataFolder } from '../../src/installation/data-folder.ts';
import { testServer } from '../postgres/databases.ts';
import { skipOnServer, testOnFile, testOnServer } from '../postgres/file-or-server.ts';
import { eventually } from '../support/eventually.ts';
import { tempFolder } from './launch.ts';
import { checkDatabaseFile, rowsIn } from './look-inside.ts';
import { paste } from './paste.ts';
import {
  assertRefused,
  install,
  NOT_FOUND,
  REFUSED,
  run,
  runEach,
  runHere,
  runJson,
  USAGE,
  type Result,
} from './run.ts';
import { startServer, type Server } from './running-server.ts';

let data: string;
let key: string;
let server: Server;

const here = (...args: string[]) => runHere([...args, '--data', data]);
const hereJson = (...args: string[]) => runJson([...args, '--data', data]);
const signIn = (login: string, password: string) =>
  server.call('~/session', { method: 'POST', json: { login, password } });

interface Refusal {
  why: string;
  args: string[];
  env?: Record<string, string>;
  code: number;
  words: RegExp;
}

const NO_COPY = 'a database on a server is copied with pg_dump';
/** Of suites about words and flags, which no database changes. */
const skip = skipOnServer('no database is asked');

const nowhere = tempFolder();
const taken = join(tempFolder(), 'taken.db');
writeFileSync(`${taken}.secret`, 'precious');
const refusals = { onInstallation: [] as Refusal[], nowhere: [] as Refusal[] };
const outcomes = new Map<Refusal, Result>();
let rowsBeforeAndAfter: number[];

/**
 * One test per refusal. All commands run first, in one process, with or without the installation.
 */
function refuses(list: Refusal[], where: keyof typeof refusals = 'onInstallation'): void {
  refusals[where].push(...list);
  for (const refusal of list) {
    test(refusal.why, () => assertRefused(outcomes.get(refusal)!, refusal.code, refusal.words));
  }
}

/** The same, on SQLite only. */
function refusesOnFile(list: Refusal[], where: keyof typeof refusals, reason: string): void {
  if (testServer() !== undefined) for (const { why } of list) testOnFile(why, reason, () => {});
  else refuses(list, where);
}

async function tryAll(list: Refusal[], flags: string[], cwd: string): Promise<void> {
  const commands = list.map(({ args, env = {} }) => ({ args: [...args, ...flags], env }));
  const results = await runEach(commands, { cwd });
  for (const [i, refusal] of list.entries()) outcomes.set(refusal, results[i]!);
}

/** Grows with every row that a command can create. */
async function countRows(): Promise<number> {
  const tables = ['events', 'users', 'api_keys', 'application_passwords', 'settings'];
  const counts = tables.map((table) => `(select count(*) from ${table})`);
  const [row] = await rowsIn(data, `select ${counts.join(' + ')} as n`);
  return Number(row!['n']);
}

describe('the command line', { concurrency: 3 }, () => {
  before(async () => {
    ({ data, key } = await install({ 'api.rate_per_minute': 100_000 }));
    const earlier = await countRows();
    await Promise.all([
      tryAll(refusals.onInstallation, ['--data', data], tempFolder()),
      tryAll(refusals.nowhere, [], nowhere),
    ]);
    rowsBeforeAndAfter = [earlier, await countRows()];
    server = await startServer(data);
  });

  test('a refusal changes nothing', () => {
    assert.equal(rowsBeforeAndAfter[0], rowsBeforeAndAfter[1]);
    assert.deepEqual(readdirSync(nowhere), []);
    assert.ok(!existsSync(taken));
    assert.equal(readFileSync(`${taken}.secret`, 'utf8'), 'precious');
  });

  describe('admin create', { concurrency: 1 }, () => {
    test('an administrator, with a generated password that is shown once', async () => {
      const flags = ['--login', 'ann', '--email', 'ann@test.example'];
      const { code, stdout } = await here('admin', 'create', ...flags);
      assert.equal(code, 0);
      assert.match(stdout, /^administrator ann \(user \d+\) created\.$/m);
      const password = /shown only once: (\S+)/.exec(stdout)![1]!;
      const session = await signIn('ann', password);
      assert.equal(session.body.role, 'administrator', session.text);
    });

    test('--role manager --json, with a password from a file', async () => {
      const file = join(tempFolder(), 'password');
      writeFileSync(file, 'correct horse battery\n');
      const who = ['--login', 'marcus', '--email', 'marcus@test.example', '--name', 'Marcus L.'];
      const how = ['--role', 'manager', '--password-file', file];
      const made = await hereJson('admin', 'create', ...who, ...how);
      assert.ok(Number.isInteger(made.id));
      assert.deepEqual(made, {
        id: made.id,
        login: 'marcus',
        email: 'marcus@test.example',
        display_name: 'Marcus L.',
        role: 'manager',
      });
      const session = await signIn('marcus@test.example', 'correct horse battery');
      assert.equal(session.body.role, 'manager', session.text);
    });

    const create = (...flags: string[]) => ['admin', 'create', ...flags];
    refuses([
      {
        why: 'a login in use is refused, in any case',
        args: create('--login', 'ADMIN', '--email', 'other@test.example'),
        code: REFUSED,
        words: /The login "\w+" or the email address "\S+" is already in use/,
      },
      {
        why: 'an address in use is refused; with --json the refusal is JSON',
        args: create('--login', 'other', '--email', 'admin@test.example', '--json'),
        code: REFUSED,
        words: /^\{"code":"svc_api_user_exists",.*\}\n$/,
      },
      {
        why: 'an address that is none',
        args: create('--login', 'bob', '--email', 'bob'),
        code: USAGE,
        words: /email/,
      },
      {
        why: 'a role that is none',
        args: create('--login', 'bob', '--email', 'bob@test.example', '--role', 'king'),
        code: USAGE,
        words: /administrator, manager/,
      },
      { why: 'no address', args: create('--login', 'bob'), code: USAGE, words: /--email/ },
    ]);
  });

  describe('admin list, role, disable, enable, reset-password', { concurrency: 1 }, () => {
    const GOOD = 'seven quiet rivers';

    test('role, disable and enable print the member; disabling ends its sign-in', async () => {
      const file = join(tempFolder(), 'password');
      writeFileSync(file, `${GOOD}\n`);
      const who = ['--login', 'dora', '--email', 'dora@test.example', '--password-file', file];
      await hereJson('admin', 'create', ...who);
      assert.equal((await hereJson('admin', 'role', 'dora', 'manager')).role, 'manager');
      assert.equal((await hereJson('admin', 'disable', 'dora@test.example')).disabled, true);
      assert.equal((await signIn('dora', GOOD)).status, 401);
      const { code, stdout } = await here('admin', 'list');
      assert.equal(code, 0);
      assert.match(stdout, /dora\s+manager\s+disabled/);
      assert.match((await here('admin', 'enable', 'dora')).stdout, /dora is now manager, active/);
      assert.equal((await signIn('dora', GOOD)).status, 201);
    });

    test('reset-password prints a link, or sets the password of a file', async () => {
      const { link } = await hereJson('admin', 'reset-password', 'dora', '--two-factor');
      assert.match(link, /\/app\/reset\?token=\w{40,}$/);
      const file = join(tempFolder(), 'password');
      writeFileSync(file, 'eleven calm harbours\n');
      const { stdout } = await here('admin', 'reset-password', 'dora', '--password-file', file);
      assert.match(stdout, /The password of dora is set/);
      assert.equal((await signIn('dora', 'eleven calm harbours')).status, 201);
    });

    refuses([
      {
        why: 'the last administrator is not disabled',
        args: ['admin', 'disable', 'admin'],
        code: REFUSED,
        words: /last administrator/,
      },
      {
        why: 'a role that is none of the team',
        args: ['admin', 'role', 'admin', 'affiliate'],
        code: USAGE,
        words: /role/,
      },
      {
        why: 'an unknown user',
        args: ['admin', 'reset-password', 'ghost'],
        code: NOT_FOUND,
        words: /There is no user .*"ghost"/,
      },
    ]);
  });

  describe('keys', { concurrency: 1 }, () => {
    let till: { id: number; token: string };
    /** The server stores the use of a key with a delay. */
    const withoutUse = (entry: object | undefined) => ({ ...entry, last_used: null });

    test('create --json prints what POST /keys answers, the token included', async () => {
      const wanted = { scopes: ['read', 'write'], expires: '2099-12-31', description: 'Till 3' };
      const flags = [
        '--scopes',
        'write,read',
        '--expires',
        '2099-12-31',
        '--description',
        'Till 3',
      ];
      const printed = await hereJson('keys', 'create', '--user', 'admin', ...flags);
      const { status, body } = await server.call('/keys', { method: 'POST', key, json: wanted });
      assert.equal(status, 201);
      assert.deepEqual(Object.keys(printed), Object.keys(body));
      const own = new Set(['id', 'key_prefix', 'token', 'date_created']);
      const common = (answer: Record<string, unknown>) =>
        Object.entries(answer).filter(([name]) => !own.has(name));
      assert.deepEqual(common(printed), common(body));
      const me = await server.call('/me', { key: printed.token });
      till = printed;
      const { id: key_id, scopes } = printed;
      assert.deepEqual(me.body.auth, { method: 'api_key', key_id, scopes });
    });

    test('create in words shows the key and a curl line that works as pasted', async () => {
      const place = ['--user', 'admin@test.example', '--port', String(server.port)];
      const { code, stdout } = await here('keys', 'create', ...place);
      assert.equal(code, 0);
      const [, id, token] = /^Key (\d+) for admin \(read\): (svc_[0-9A-Za-z]{46})$/m.exec(stdout)!;
      const line = stdout.split('\n').find((text) => text.startsWith('curl '))!;
      assert.ok(line.includes(token!));
      const { status, text } = await paste(line, server);
      assert.equal(status, 200, text);
      assert.equal(JSON.parse(text).auth.key_id, Number(id));
    });

    test('list prints what GET /keys answers, and a table for people', async () => {
      const { id, token } = till;
      const [json, table, expired] = await runEach([
        { args: ['keys', 'list', '--data', data, '--json'] },
        { args: ['keys', 'list', '--data', data] },
        { args: ['keys', 'list', '--data', data, '--user', 'admin', '--status', 'expired'] },
      ]);
      const { body } = await server.call('/keys?per_page=100', { key });
      const ofThis = (list: { id: number }[]) => list.find((entry) => entry.id === id);
      assert.deepEqual(withoutUse(ofThis(JSON.parse(json!.stdout))), withoutUse(ofThis(body)));
      const head = /^id +key +user +scopes +status +last used +expires +description$/m;
      assert.match(table!.stdout, head);
      assert.match(table!.stdout, new RegExp(`^${id} +${token.slice(0, 12)}… .* Till 3$`, 'm'));
      assert.ok(!table!.stdout.includes(token) && !json!.stdout.includes(token));
      assert.match(expired!.stdout, /^No keys\. Make one: \.\/tributary keys create/);
    });

    test('revoke, again and again', async () => {
      const id = String(till.id);
      const [once, again, list] = await runEach([
        { args: ['keys', 'revoke', id, '--data', data] },
        { args: ['keys', 'revoke', id, '--data', data, '--json'] },
        { args: ['keys', 'list', '--status', 'revoked', '--data', data, '--json'] },
      ]);
      assert.deepEqual([once!.code, once!.stdout], [0, `Key ${id} is revoked.\n`]);
      assert.equal(again!.code, 0);
      assert.deepEqual(JSON.parse(again!.stdout), { revoked: true });
      const revoked = JSON.parse(list!.stdout) as { id: number; status: string }[];
      assert.deepEqual(
        revoked.map((entry) => [entry.id, entry.status]),
        [[till.id, 'revoked']],
      );
    });

    const create = (...flags: string[]) => ['keys', 'create', ...flags];
    refuses([
      {
        why: 'create: an unknown user',
        args: create('--user', 'nobody'),
        code: NOT_FOUND,
        words: /no user .*"nobody"/,
      },
      {
        why: 'create: a scope that is none',
        args: create('--user', 'admin', '--scopes', 'read,root'),
        code: USAGE,
        words: /scopes: .*read, write, manage/,
      },
      {
        why: 'create: a day that is none',
        args: create('--user', 'admin', '--expires', '2026-02-30'),
        code: USAGE,
        words: /expires: .*YYYY-MM-DD, not "/,
      },
      { why: 'create: no user', args: create(), code: USAGE, words: /--user/ },
      {
        why: 'list: a status that is none',
        args: ['keys', 'list', '--status', 'lost'],
        code: USAGE,
        words: /active, revoked, expired/,
      },
      {
        why: 'revoke: an unknown key',
        args: ['keys', 'revoke', '99999'],
        code: NOT_FOUND,
        words: /There is no key 99999\. To list them/,
      },
      {
        why: 'revoke: a word',
        args: ['keys', 'revoke', 'all'],
        code: USAGE,
        words: /id: must be integer/,
      },
    ]);
  });

  describe('passwords', { concurrency: 1 }, () => {
    test('create --json prints a password that works by Basic until it is revoked', async () => {
      const flags = ['--user', 'admin', '--description', 'Zapier'];
      const made = await hereJson('passwords', 'create', ...flags);
      assert.match(made.password, /^([0-9A-Za-z]{4} ){5}[0-9A-Za-z]{4}$/);
      const basic = `admin:${made.password}`;
      const me = await server.call('/me', { basic });
      assert.equal(me.status, 200, me.text);
      assert.equal(me.body.auth.method, 'application_password');

      const list = ['passwords', 'list', '--user', 'admin', '--data', data];
      const [first, revoked, last] = await runEach([
        { args: list },
        { args: ['passwords', 'revoke', String(made.id), '--data', data] },
        { args: [...list, '--json'] },
      ]);
      assert.match(first!.stdout, new RegExp(`^${made.id} +active +\\S+ +Zapier$`, 'm'));
      assert.ok(!first!.stdout.includes(made.password));
      assert.equal(revoked!.code, 0, revoked!.stderr);
      assert.partialDeepStrictEqual(JSON.parse(last!.stdout), [{ id: made.id, status: 'revoked' }]);
      const refused = async () => assert.equal((await server.call('/me', { basic })).status, 401);
      await eventually(refused);
    });

    refuses([
      {
        why: 'an unknown user',
        args: ['passwords', 'create', '--user', 'nobody'],
        code: NOT_FOUND,
        words: /no user .*"nobody"/,
      },
      {
        why: 'an unknown password',
        args: ['passwords', 'revoke', '99999'],
        code: NOT_FOUND,
        words: /no application password 99999/,
      },
      {
        why: 'a word instead of a number',
        args: ['passwords', 'revoke', 'all'],
        code: USAGE,
        words: /"all" is not a number/,
      },
    ]);
  });

  // Both depend on the active endpoints, so they run one after the other.
  describe('what is switched on', { concurrency: 1 }, () => {
    describe('settings', () => {
      test('get prints what GET /settings answers, and a table that explains', async () => {
        const { body } = await server.call('~/svc/store/v1/settings', { key });
        const [json, table, one] = await runEach([
          { args: ['settings', 'get', '--json', '--data', data] },
          { args: ['settings', 'get', '--data', data] },
          { args: ['settings', 'get', 'api.anonymous_rate_per_minute', '--data', data] },
        ]);
        assert.deepEqual(JSON.parse(json!.stdout), body);
        assert.match(table!.stdout, /^api\.anonymous_rate_per_minute +30 +Requests per minute/m);
        assert.equal(one!.stdout, '30\n');
      });

      test('set takes numbers, words and lists, and an empty list', async () => {
        const set = (name: string, value: string) => ({
          args: ['settings', 'set', name, value, '--data', data],
        });
        const [number, words, list, none, json, object, get] = await runEach([
          set('api.anonymous_rate_per_minute', '31'),
          set('site.name', 'Willow & Wick'),
          set('api.disabled_endpoints', 'delete_keys_id,store:get_settings_schema'),
          set('api.disabled_endpoints', ''),
          set('api.disabled_endpoints', '[]'),
          set('commission.product_percents', '{"7": 12.5}'),
          { args: ['settings', 'get', '--json', '--data', data] },
        ]);
        assert.equal(number!.stdout, 'api.anonymous_rate_per_minute is now 31\n');
        assert.equal(words!.stdout, 'site.name is now Willow & Wick\n');
        const both = 'delete_keys_id, store:get_settings_schema';
        assert.equal(list!.stdout, `api.disabled_endpoints is now ${both}\n`);
        assert.equal(none!.stdout, 'api.disabled_endpoints is now (none)\n');
        assert.equal(json!.stdout, 'api.disabled_endpoints is now (none)\n');
        assert.equal(object!.stdout, 'commission.product_percents is now {"7":12.5}\n');
        assert.partialDeepStrictEqual(JSON.parse(get!.stdout), {
          'site.name': 'Willow & Wick',
          'api.anonymous_rate_per_minute': 31,
          'api.disabled_endpoints': [],
          'commission.product_percents': { 7: 12.5 },
        });
      });

      test('unset restores the default', async () => {
        const unset = (name: string) => ({ args: ['settings', 'unset', name, '--data', data] });
        const [object, list, again, get] = await runEach([
          unset('commission.product_percents'),
          unset('multilevel.percents'),
          unset('commission.product_percents'),
          { args: ['settings', 'get', 'commission.product_percents', '--data', data] },
        ]);
        const words = 'commission.product_percents has its default again: {}\n';
        assert.deepEqual([object!.stdout, again!.stdout, get!.stdout], [words, words, '{}\n']);
        assert.equal(list!.stdout, 'multilevel.percents has its default again: 5, 2, 1\n');
      });

      refuses([
        {
          why: 'an unknown setting to read, with the one that was meant',
          args: ['settings', 'get', 'api.rate_per_minut'],
          code: NOT_FOUND,
          words: /Did you mean api\.rate_per_minute\?/,
        },
        {
          why: 'an unknown setting to change, with the one that was meant',
          args: ['settings', 'set', 'api.rate_per_minut', '5'],
          code: NOT_FOUND,
          words: /Did you mean api\.rate_per_minute\?/,
        },
        {
          why: 'a word for a number',
          args: ['settings', 'set', 'api.rate_per_minute', 'many'],
          code: USAGE,
          words: /api\.rate_per_minute: must be integer, not "many"/,
        },
        {
          why: 'a field of an object that is out of range',
          args: ['settings', 'set', 'commission.product_percents', '{"101": 120}'],
          code: USAGE,
          words: /commission\.product_percents: 101 must be <= 100, not 120/,
        },
        {
          why: 'an object that is not JSON',
          args: ['settings', 'set', 'commission.product_percents', '{"101": 20'],
          code: USAGE,
          words:
            /product_percents takes an object as JSON, like '\{"name": 5\}', and \{"101": 20 is not/,
        },
        {
          why: 'a list that is not JSON',
          args: ['settings', 'set', 'multilevel.percents', '[5, 2'],
          code: USAGE,
          words: /multilevel\.percents takes a list as JSON/,
        },
        {
          why: 'a text that does not fit, with an example',
          args: ['settings', 'set', 'site.store_url', 'nonsense'],
          code: USAGE,
          words: /site\.store_url: does not fit: .* For example: https:\/\/store\.example/,
        },
        {
          why: 'an unknown setting to give its default',
          args: ['settings', 'unset', 'commission.percents'],
          code: NOT_FOUND,
          words: /Did you mean commission\.percent\?/,
        },
        {
          why: 'a list with something unknown, with the one that was meant',
          args: ['settings', 'set', 'api.disabled_endpoints', 'get_me,get_keyz'],
          code: USAGE,
          words: /"get_keyz".* Did you mean get_keys\?/,
        },
      ]);
    });

    describe('openapi', () => {
      test('prints what GET /openapi answers, of both namespaces', async () => {
        const [v2, store] = await runEach([
          { args: ['openapi', '--data', data] },
          { args: ['openapi', '--api', 'store', '--data', data] },
        ]);
        for (const [printed, path] of [
          [v2, '/openapi'],
          [store, '~/svc/store/v1/openapi'],
        ] as const) {
          const document = JSON.parse(printed!.stdout);
          assert.equal(document.openapi, '3.1.0');
          const { body } = await server.call(path, { key });
          // The command does not know the port of a running server.
          assert.deepEqual({ ...document, servers: [] }, { ...body, servers: [] });
        }
      });
    });
  });

  describe('config', { concurrency: 1, skip }, () => {
    test('shows every value with its source: flag, then environment, then default', async () => {
      const cwd = tempFolder();
      const env = { TRIBUTARY_PORT: '1234', TRIBUTARY_TIMEZONE: 'Europe/Berlin' };
      const { stdout } = await runHere(['config', '--port', '9443', '--json'], { env, cwd });
      const list = JSON.parse(stdout) as { name: string }[];
      const origins = new Map(list.map(({ name, ...origin }) => [name, origin]));
      assert.deepEqual([...origins.keys()], Object.keys(configKeys));
      assert.deepEqual(origins.get('port'), {
        flag: '--port',
        env: 'TRIBUTARY_PORT',
        value: '9443',
        source: 'flag',
      });
      assert.deepEqual(origins.get('timezone'), {
        flag: '--timezone',
        env: 'TRIBUTARY_TIMEZONE',
        value: 'Europe/Berlin',
        source: 'environment',
      });
      assert.deepEqual(origins.get('data'), {
        flag: '--data',
        env: 'TRIBUTARY_DATA',
        value: './data',
        source: 'default',
      });
      const defaults = { adminLogin: 'admin', edition: 'pro', tls: 'auto', trustedProxies: '' };
      for (const [name, value] of Object.entries(defaults)) {
        assert.partialDeepStrictEqual(origins.get(name), { value, source: 'default' });
      }
      assert.deepEqual(readdirSync(cwd), [], 'nothing is made');
    });

    test('in words, as a table', async () => {
      const { code, stdout } = await runHere(['config'], { env: { TRIBUTARY_CURRENCY: 'EUR' } });
      assert.equal(code, 0);
      assert.match(stdout, /^flag +environment +value +from$/m);
      assert.match(stdout, /^--currency +TRIBUTARY_CURRENCY +EUR +environment$/m);
      assert.match(stdout, /^--timezone +TRIBUTARY_TIMEZONE +\(none\) +setting site\.timezone$/m);
      assert.match(stdout, /^--port +TRIBUTARY_PORT +8443 +default$/m);
      assert.match(stdout, /^--public-url +TRIBUTARY_PUBLIC_URL +\(none\) +default$/m);
    });

    test('credentials are masked and have no flag', async () => {
      const env = { TRIBUTARY_STRIPE_KEY: 'sk_canary' };
      const shown = await runHere(['config'], { env });
      assert.match(shown.stdout, /^\(none\) +TRIBUTARY_STRIPE_KEY +\[secret\] +environment$/m);
      const list = await runHere(['config', '--json'], { env });
      assert.doesNotMatch(shown.stdout + list.stdout, /canary/);
    });

    refuses([
      {
        why: 'a credential as a flag',
        args: ['config', '--stripe-key', 'sk_x'],
        code: USAGE,
        words: /unknown option '--stripe-key'/,
      },
      {
        why: 'a credential with spaces, without repeating it',
        args: ['config'],
        env: { TRIBUTARY_WISE_TOKEN: 'sk canary' },
        code: USAGE,
        words: /^tributary: TRIBUTARY_WISE_TOKEN must be [\w ]+ without spaces\.\n$/,
      },
      {
        why: 'a payment service without TLS, elsewhere than here',
        args: ['config'],
        env: { TRIBUTARY_PAYPAL_URL: 'http://paypal.example' },
        code: USAGE,
        words: /TRIBUTARY_PAYPAL_URL must be an https address/,
      },
      {
        why: 'a bad flag',
        args: ['config', '--port', '99999'],
        env: { TRIBUTARY_PORT: '1' },
        code: USAGE,
        words: /--port must be a whole number from 0 to 65535, not "99999"/,
      },
      {
        why: 'a bad variable',
        args: ['config'],
        env: { TRIBUTARY_TLS: 'on' },
        code: USAGE,
        words: /TRIBUTARY_TLS must be one of auto, files, off, not "on"/,
      },
      {
        why: 'half of what goes together',
        args: ['config'],
        env: { TRIBUTARY_ADMIN_EMAIL: 'root@test.example' },
        code: USAGE,
        words: /TRIBUTARY_ADMIN_PASSWORD_FILE go together/,
      },
      {
        why: 'an unknown variable, with the one that was meant',
        args: ['config'],
        env: { TRIBUTARY_PROT: '9443' },
        code: USAGE,
        words: /TRIBUTARY_PROT is not known\. Did you mean TRIBUTARY_PORT\?/,
      },
      {
        why: 'an unknown variable for a command on the installation',
        args: ['keys', 'list'],
        env: { TRIBUTARY_ADMIN_MAIL: 'root@test.example' },
        code: USAGE,
        words: /TRIBUTARY_ADMIN_MAIL is not known\. Did you mean TRIBUTARY_ADMIN_EMAIL\?/,
      },
    ]);
  });

  describe('backup', { concurrency: 1 }, () => {
    const target = join(tempFolder(), 'monday.db');

    testOnFile('writes the database and its secret, for the owner alone', NO_COPY, async () => {
      const { code, stdout, stderr } = await here('backup', target);
      assert.equal(code, 0, stderr);
      const files = [target, `${target}.secret`];
      for (const file of files) {
        assert.ok(stdout.includes(file));
        assert.equal(statSync(file).mode & 0o777, 0o600);
      }
      assert.deepEqual(readdirSync(join(target, '..')).sort(), ['monday.db', 'monday.db.secret']);
      assert.ok((await checkDatabaseFile(target)).keys.size > 0);
    });

    testOnFile('a copy in a new folder serves the same keys', NO_COPY, async () => {
      const restored = join(tempFolder(), 'data');
      mkdirSync(restored);
      copyFileSync(target, dataFolder(restored).databaseFile);
      copyFileSync(`${target}.secret`, dataFolder(restored).secretFile);
      const copy = await startServer(restored);
      const me = await copy.call('/me', { key });
      assert.equal(me.status, 200, me.text);
      const { body } = await copy.call('/keys?per_page=100', { key });
      const ids = new Set(body.map((entry: { id: number }) => entry.id));
      assert.deepEqual(ids, (await checkDatabaseFile(target)).keys);
      await copy.stop();
    });

    refusesOnFile(
      [
        {
          why: 'a file that exists',
          args: ['backup', `${taken}.secret`],
          code: REFUSED,
          words: /taken\.db\.secret exists\. Choose a name/,
        },
        {
          why: 'a file whose secret exists',
          args: ['backup', taken],
          code: REFUSED,
          words: /taken\.db\.secret exists\. Choose a name/,
        },
        {
          why: 'a folder that does not exist',
          args: ['backup', '/nowhere/at/all.db'],
          code: NOT_FOUND,
          words: /\/nowhere\/at/,
        },
      ],
      'onInstallation',
      NO_COPY,
    );
    testOnServer('of a server is left to pg_dump, and nothing is written', async () => {
      assertRefused(
        await here('backup', target),
        REFUSED,
        /on a server: copy it with pg_dump.*secret\.key/,
      );
      assert.deepEqual(readdirSync(join(target, '..')), []);
    });

    refuses([
      {
        why: 'no file',
        args: ['backup'],
        code: USAGE,
        words: /missing required argument 'file'/,
      },
    ]);
  });

  describe('without an installation', { concurrency: 1 }, () => {
    const commands = [
      ['keys', 'create', '--user', 'admin'],
      ['keys', 'list'],
      ['keys', 'revoke', '1'],
      ['passwords', 'create', '--user', 'admin'],
      ['passwords', 'list', '--user', 'admin'],
      ['passwords', 'revoke', '1'],
      ['settings', 'get'],
      ['openapi'],
      ['backup', 'copy.db'],
      ['migrate-db', '--to', 'postgres://nobody@127.0.0.1:1/none'],
    ];
    refusesOnFile(
      commands.map((args) => ({
        why: args.join(' '),
        args,
        code: NOT_FOUND,
        words: /no installation in \S+data\..*\.\/tributary start.*--data/,
      })),
      'nowhere',
      'a database on a server is an installation, whatever the folder holds',
    );
  });

  describe('help', { concurrency: 1, skip }, () => {
    const groups = [
      'admin',
      'cases',
      'keys',
      'passwords',
      'settings',
      'import',
      'rewards',
      'stores',
      'webhooks',
    ];
    const commands = [
      'start',
      'demo',
      'config',
      'openapi',
      'backup',
      'restore',
      'verify',
      'generate',
      'migrate-db',
      'import orders',
      'import affiliates',
      'import coupons',
      'admin create',
      'admin disable',
      'admin enable',
      'admin list',
      'admin reset-password',
      'admin role',
      'cases decide',
      'cases list',
      'cases show',
      'keys create',
      'keys list',
      'keys revoke',
      'passwords create',
      'passwords list',
      'passwords revoke',
      'rewards list',
      'rewards test',
      'settings get',
      'settings set',
      'settings unset',
      'setup',
      'stores add',
      'stores check',
      'stores import',
      'stores list',
      'stores reconcile',
      'webhooks listen',
      'webhooks trigger',
      'worker',
    ];
    /** What a help text says there is. */
    const commandsIn = (help: string) =>
      [
        ...help
          .split('\nCommands:\n')[1]!
          .split('\n\n')[0]!
          .matchAll(/^ {2}([a-z-]+)/gm),
      ]
        .map(([, name]) => name!)
        .filter((name) => name !== 'help');

    test('every command has an example', async () => {
      const asked = ['', ...groups, ...commands];
      const args = asked.map((command) => [...command.split(' ').filter(Boolean), '--help']);
      const results = await runEach(args.map((each) => ({ args: each })));
      const pages = new Map(asked.map((command, i) => [command, results[i]!]));
      for (const [command, { code, stderr }] of pages) {
        assert.deepEqual([code, stderr], [0, ''], command);
      }
      for (const command of commands) {
        const example = new RegExp(`^Examples?:\n  \\./tributary ${command}`, 'm');
        assert.match(pages.get(command)!.stdout, example);
      }
      assert.match(pages.get('')!.stdout, /^Examples:\n {2}\.\/tributary start$/m);
      const listed = commandsIn(pages.get('')!.stdout).flatMap((name) =>
        groups.includes(name)
          ? commandsIn(pages.get(name)!.stdout).map((inside) => `${name} ${inside}`)
          : [name],
      );
      assert.deepEqual(listed.sort(), commands.sort(), 'these are all there are');
    });

    test('--version is the one of the package', async () => {
      const file = new URL('../../package.json', import.meta.url);
      const { version } = JSON.parse(readFileSync(file, 'utf8')) as { version: string };
      assert.deepEqual(await run(['--version']), { code: 0, stdout: `${version}\n`, stderr: '' });
    });

    test('what is mistyped is refused by the process itself', async () => {
      assertRefused(
        await run(['key', 'list']),
        USAGE,
        /unknown command 'key'\n\(Did you mean keys\?\)/,
      );
    });

    refuses(
      [
        {
          why: 'an unknown command of a group, with the one that was meant',
          args: ['keys', 'creat'],
          code: USAGE,
          words: /unknown command 'creat'\n\(Did you mean create\?\)/,
        },
        {
          why: 'an unknown flag, with the one that was meant',
          args: ['start', '--prot', '1'],
          code: USAGE,
          words: /unknown option '--prot'\n\(Did you mean --port\?\)/,
        },
        {
          why: 'an unknown flag of a command on the installation',
          args: ['keys', 'list', '--stauts', 'active'],
          code: USAGE,
          words: /unknown option '--stauts'\n\(Did you mean --status\?\)/,
        },
        {
          why: 'one word too many',
          args: ['start', 'now'],
          code: USAGE,
          words: /too many arguments/,
        },
        { why: 'no command', args: [], code: USAGE, words: /^Usage: \.\/tributary/ },
        {
          why: 'a group without a command',
          args: ['keys'],
          code: USAGE,
          words: /^Usage: \.\/tributary keys/,
        },
      ],
      'nowhere',
    );
  });
});
