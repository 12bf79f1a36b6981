import assert from 'node:assert/strict';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { before, describe, test } from 'node:test';
import { dataFolder } from '../../src/installation/data-folder.ts';
import { testServer } from '../postgres/databases.ts';
import { testOnServer } from '../postgres/file-or-server.ts';
import { KeyMaker } from '../process/key-maker.ts';
import { collect, ended, inTheEnd, launch, tempFolder } from '../process/launch.ts';
import { checkDatabaseFile } from '../process/look-inside.ts';
import {
  assertRefused,
  install,
  NOT_FOUND,
  REFUSED,
  run,
  runHere,
  runJson,
  USAGE,
} from '../process/run.ts';
import { startServer, type Server } from '../process/running-server.ts';
import { eventually } from '../support/eventually.ts';
import { Receiver } from '../support/receiver.ts';
import { noSmallDisk, onSmallDisk } from '../support/small-disk.ts';
import { verify } from '../support/verify-signature.ts';

const STORE = '~/svc/store/v1';
const skip = testServer() === undefined ? false : 'a database on a server is copied with pg_dump';

const receiver = await new Receiver().listen();
let data: string;
let key: string;
let server: Server;
let backup: string;
/** The address of an uploaded file. */
let terms: string;
const TERMS = 'Terms for our affiliates';

/** What an installation shows, including values that only the right secret can decrypt. */
async function figures(of: Server) {
  const get = async (path: string) => {
    const { status, body, text } = await of.call(path, { key });
    assert.equal(status, 200, text);
    return body;
  };
  const summary = await get('/reports/summary?refresh=true');
  const affiliates = await get('/affiliates');
  return {
    affiliates,
    details: await get(`${STORE}/affiliates/${affiliates[0].id}/payout-details?reveal=true`),
    coupons: await get('/coupons'),
    payouts: await get('/payouts'),
    ledger: await get(`${STORE}/coupons/${affiliates[0].coupons[0].id}/ledger`),
    totals: summary.totals,
  };
}

/** An affiliate that has earned from two orders, was paid once and has a request open. */
async function seed(): Promise<void> {
  const send = async (method: string, path: string, json: object) => {
    const reply = await server.call(path, { method, key, json });
    assert.ok(reply.status < 300, reply.text);
    return reply.body;
  };
  const maya = { login: 'maya', email: 'maya@test.example' };
  const { id } = await send('POST', `${STORE}/affiliates`, maya);
  const coupon = await send('POST', `${STORE}/coupons`, { code: 'MAYA', user_id: id });
  await send('PUT', `${STORE}/affiliates/${id}/payout-details`, {
    method_type: 'banktransfer',
    details: { account_holder: 'Maya Lind', iban: 'DE89370400440532013000' },
  });
  const creative = await send('POST', `${STORE}/creatives`, {
    kind: 'file',
    name: 'Terms',
    content: Buffer.from(TERMS).toString('base64'),
    file_name: 'terms.txt',
  });
  terms = new URL(creative.file.url).pathname;
  const order = { date: '2026-02-01T12:00:00', status: 'completed', coupon_codes: ['MAYA'] };
  for (const [number, total] of [
    [1, 125],
    [2, 80],
  ]) {
    await send('PUT', `${STORE}/orders/${number}`, { ...order, total });
    const payout = await send('POST', '/payouts', { coupon_id: coupon.id });
    if (number === 1) await send('POST', `/payouts/${payout.id}/status`, { status: 'paid' });
  }
}

describe('from a backup to a running service', { skip, concurrency: 1 }, () => {
  const restored = join(tempFolder(), 'new', 'data');
  let webhook: { id: number; secret: string };
  let beforehand: Awaited<ReturnType<typeof figures>>;

  before(async () => {
    ({ data, key } = await install({
      'webhooks.allow_private': true,
      'payouts.details_hold_hours': 0,
      'api.rate_per_minute': 1_000_000,
    }));
    server = await startServer(data);
    const json = { url: receiver.url, events: ['affiliate.suspended'] };
    webhook = (await server.call('/webhooks', { method: 'POST', key, json })).body;
    await seed();
    beforehand = await figures(server);
    backup = join(tempFolder(), 'monday.db');
  });

  test('a backup is made while clients write, and leaves two files and the uploaded ones', async () => {
    const makers = Array.from({ length: 4 }, () => new KeyMaker(server, key));
    await eventually(() => assert.ok(makers.every(({ made }) => made.length > 2)));
    const { code, stdout, stderr } = await run(['backup', backup, '--data', data]);
    await Promise.all(makers.map((maker) => maker.stop()));
    assert.equal(code, 0, stderr);
    assert.match(stdout, /\.\/tributary restore \S+monday\.db --data FOLDER/);
    assert.deepEqual(readdirSync(dirname(backup)).sort(), [
      'monday.db',
      'monday.db.files',
      'monday.db.secret',
    ]);
    assert.match(stdout, /Files +\S+monday\.db\.files \(1\)/);
    for (const file of [backup, `${backup}.secret`]) {
      assert.equal(statSync(file).mode & 0o777, 0o600);
    }
  });

  test('it is restored into a folder that does not exist yet, with what to do next', async () => {
    const { code, stdout, stderr } = await runHere(['restore', backup, '--data', restored]);
    assert.equal(code, 0, stderr);
    assert.match(stdout, /2 users, 2 orders\./);
    assert.match(stdout, /Newest event: 20\d\d-/);
    assert.match(stdout, /\.\/tributary verify --data[^]*\.\/tributary start --data/);
    for (const file of [dataFolder(restored).databaseFile, dataFolder(restored).secretFile]) {
      assert.equal(statSync(file).mode & 0o777, 0o600);
    }
    assert.equal((await runHere(['verify', '--data', restored])).code, 0);
  });

  test('the uploaded files are restored with it, and "verify" names one that is missing', async () => {
    const { filesFolder } = dataFolder(restored);
    const [name, ...others] = readdirSync(filesFolder);
    assert.deepEqual(others, []);
    assert.deepEqual(readdirSync(`${backup}.files`), [name]);
    assert.equal(statSync(filesFolder).mode & 0o777, 0o700);
    const file = join(filesFolder, name!);
    assert.equal(readFileSync(file, 'utf8'), TERMS);
    assert.equal(statSync(file).mode & 0o777, 0o600);
    renameSync(file, `${file}.gone`);
    const { code, stdout, stderr } = await runHere(['verify', '--data', restored]);
    renameSync(`${file}.gone`, file);
    assert.notEqual(code, 0);
    assert.match(stdout + stderr, new RegExp(name!));
  });

  test('the restored service knows the key, the figures, the destinations and the webhook', async () => {
    const copy = await startServer(restored);
    assert.deepEqual(await figures(copy), beforehand);
    assert.equal((await copy.call(`~${terms}`)).text, TERMS);
    const sent = await copy.call(`/webhooks/${webhook.id}/test`, { method: 'POST', key });
    assert.deepEqual([sent.status, sent.body], [200, { code: 200 }], sent.text);
    verify(webhook.secret, receiver.received.at(-1)!);
    assert.equal((await copy.stop()).code, 0);
  });

  test('an installation that is there is not replaced', async () => {
    const result = await runHere(['restore', backup, '--data', restored]);
    assertRefused(result, REFUSED, /an installation in \S+data already \(tributary\.db.*--force/);
  });

  test('--force moves it aside, complete', async () => {
    const present = readFileSync(dataFolder(restored).databaseFile);
    const { aside } = await runJson(['restore', backup, '--force', '--data', restored]);
    assert.ok(readFileSync(join(aside, 'tributary.db')).equals(present));
    assert.equal(readdirSync(join(aside, 'files')).length, 1);
    assert.equal(readdirSync(dataFolder(restored).filesFolder).length, 1);
    assert.equal(statSync(aside).mode & 0o777, 0o700);
    assert.equal((await runHere(['verify', '--data', restored])).code, 0);
  });

  test('a folder with a running server is refused, also with --force', async () => {
    const result = await runHere(['restore', backup, '--force', '--data', data]);
    assertRefused(result, USAGE, /Another server is running on/);
    assert.equal((await server.call('/me', { key })).status, 200);
  });

  describe('what is no backup is refused before anything is touched', { concurrency: 1 }, () => {
    const folder = tempFolder();
    const secret = () => `${backup}.secret`;
    const file = (name: string) => join(folder, name);
    const changed = (name: string, ...statements: string[]) => {
      copyFileSync(backup, file(name));
      const db = new DatabaseSync(file(name));
      for (const statement of statements) db.exec(statement);
      db.close();
      return file(name);
    };
    const cases: [what: string, make: () => string[], code: number, words: RegExp][] = [
      ['no file', () => [file('none.db')], NOT_FOUND, /There is no file \S+none\.db/],
      [
        'no secret',
        () => [changed('alone.db')],
        NOT_FOUND,
        /no file \S+alone\.db\.secret\. Without the secret.*--secret FILE/,
      ],
      [
        'the secret of another installation',
        () => {
          writeFileSync(file('other.secret'), `${Buffer.alloc(48, 7).toString('base64')}\n`);
          return [backup, '--secret', file('other.secret')];
        },
        REFUSED,
        /other\.secret is not the secret of \S+monday\.db/,
      ],
      [
        'a file of text',
        () => {
          writeFileSync(file('text.db'), 'no database, but long enough to look at. '.repeat(50));
          return [file('text.db'), '--secret', secret()];
        },
        USAGE,
        /text\.db is not a database/,
      ],
      [
        'an empty file',
        () => {
          writeFileSync(file('empty.db'), '');
          return [file('empty.db'), '--secret', secret()];
        },
        USAGE,
        /empty\.db is not a backup/,
      ],
      [
        'the database of another program',
        () => {
          new DatabaseSync(file('songs.db')).exec('create table songs (title text)');
          return [file('songs.db'), '--secret', secret()];
        },
        USAGE,
        /songs\.db is the database of another program/,
      ],
      [
        'a damaged file',
        () => {
          const bytes = readFileSync(backup);
          bytes.fill(0xff, 4096 * 3, 4096 * 12);
          writeFileSync(file('damaged.db'), bytes);
          return [file('damaged.db'), '--secret', secret()];
        },
        USAGE,
        /damaged\.db is damaged|damaged\.db cannot be used/,
      ],
      [
        'a backup of a version before 0.7.0',
        () => {
          const insert = "insert into migrations values ('0001-leases', 0)";
          return [changed('unreleased.db', insert), '--secret', secret()];
        },
        USAGE,
        /before 0\.7\.0 .* cannot be upgraded\. Continue with that version, or start with an empty/,
      ],
      [
        'a backup of a newer version',
        () => {
          const insert = "insert into migrations values ('9999-tomorrow', 0)";
          return [changed('newer.db', insert), '--secret', secret()];
        },
        REFUSED,
        /newer version of Tributary.*"9999-tomorrow"/,
      ],
    ];
    for (const [what, make, code, words] of cases) {
      test(what, async () => {
        const target = join(folder, 'untouched');
        assertRefused(await runHere(['restore', ...make(), '--data', target]), code, words);
        assert.ok(!existsSync(target));
      });
    }
  });
});

describe('a backup that fails leaves nothing', { skip }, () => {
  const whereMountable = { concurrency: 1, skip: noSmallDisk() ?? false };
  test('on a full disk', whereMountable, async () => {
    const { data: large } = await install();
    const db = new DatabaseSync(dataFolder(large).databaseFile);
    db.exec('create table filler (bytes blob)');
    db.exec(
      'with recursive n(i) as (select 1 union all select i + 1 from n where i < 24)' +
        ' insert into filler select randomblob(1048576) from n',
    );
    db.close();
    const folder = tempFolder();
    const [shell, ...mounting] = onSmallDisk(folder);
    const list = join(tempFolder(), 'left.txt');
    // The small disk exists only for the process, so the process lists its files itself.
    const script = `"$@"; code=$?; ls -A "${folder}" > "${list}"; exit $code`;
    const node = [shell!, ...mounting, 'sh', '-c', script, 'sh', process.execPath];
    const target = join(folder, 'full.db');
    const result = await run(['backup', target, '--data', large], { node });
    assertRefused(result, 1, /full\.db failed: there is no space left\. Nothing was left behind\./);
    assert.equal(readFileSync(list, 'utf8'), '');
  });

  test('when it is interrupted: no file, or a complete one', async () => {
    const { data: large } = await install();
    const db = new DatabaseSync(dataFolder(large).databaseFile);
    db.exec('create table filler (bytes blob)');
    db.exec(
      'with recursive n(i) as (select 1 union all select i + 1 from n where i < 60)' +
        ' insert into filler select randomblob(1048576) from n',
    );
    db.close();
    const target = join(tempFolder(), 'interrupted.db');
    const child = await launch(['backup', target, '--data', large]);
    const output = collect(child);
    const end = inTheEnd(ended(child), 'the interrupted backup');
    await eventually(() => assert.ok(readdirSync(dirname(target)).length > 0));
    child.kill('SIGINT');
    const { code } = await end;
    const left = readdirSync(dirname(target)).sort();
    if (code === 0) {
      assert.deepEqual(left, ['interrupted.db', 'interrupted.db.secret']);
      await checkDatabaseFile(target);
    } else {
      assert.equal(code, 130, output.stderr);
      assert.match(output.stderr, /interrupted by SIGINT; nothing was left behind/);
      assert.deepEqual(left, []);
    }
  });
});

testOnServer('a database on a server is left to pg_restore', async () => {
  const folder = tempFolder();
  mkdirSync(join(folder, 'data'));
  const result = await run(['restore', join(folder, 'x.dump'), '--data', join(folder, 'data')]);
  assertRefused(result, REFUSED, /on a server: restore it with pg_restore.*secret\.key/);
});
