import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import pg from 'pg';
import { dataFolder, type DataFolder } from '../../src/installation/data-folder.ts';
import { testServer } from '../postgres/databases.ts';
import { databaseUrlOf, emptyDatabaseFor } from '../process/installation-database.ts';
import { tempFolder } from '../process/launch.ts';
import { createKey } from '../process/run.ts';
import { startServer, type Server } from '../process/running-server.ts';
import { readSchema, storedSchema } from '../schema/read-schema.ts';
import { numbersLike, readMoney } from './money-answers.ts';

const database = testServer() === undefined ? 'sqlite' : 'postgres';
const fixtures = readdirSync(import.meta.dirname).filter((name) =>
  name.endsWith(`-${database}.sql.gz`),
);

/** Statements that create the database of a release: its tables, its rows, then its indexes and triggers. */
const textOf = (fixture: string) =>
  gunzipSync(readFileSync(join(import.meta.dirname, fixture))).toString();

/** A data folder as the release left it: its database and its secret. */
async function restore(fixture: string, sql = textOf(fixture)): Promise<DataFolder> {
  const folder = dataFolder(join(tempFolder(), 'data'));
  mkdirSync(folder.path, { mode: 0o700 });
  const secret = /^-- secret (.+)$/m.exec(textOf(fixture))![1]!;
  writeFileSync(folder.secretFile, Buffer.from(secret, 'base64'), { mode: 0o600 });
  if (database === 'sqlite') {
    const db = new DatabaseSync(folder.databaseFile, { enableForeignKeyConstraints: false });
    db.exec(sql);
    db.close();
    return folder;
  }
  await emptyDatabaseFor(folder.path);
  const client = new pg.Client({ connectionString: (await databaseUrlOf(folder.path))! });
  await client.connect();
  await client.query(sql);
  await client.end();
  return folder;
}

describe('an installation of an earlier release', () => {
  test('there is a fixture of every release', () => {
    const changelog = readFileSync(join(import.meta.dirname, '../../CHANGELOG.md'), 'utf8');
    const releases = [...changelog.matchAll(/^## (\d+\.\d+\.\d+) \(\d{4}-/gm)].map(
      ([, version]) => version!,
    );
    // 0.7.0 is the first version that can be upgraded.
    const line = releases.includes('0.7.0') ? releases.indexOf('0.7.0') + 1 : 0;
    for (const version of ['0.7.0', ...releases.slice(0, line)]) {
      assert.ok(fixtures.includes(`${version}-${database}.sql.gz`), version);
    }
  });

  for (const fixture of fixtures) {
    test(`${fixture.split('-')[0]} starts, is migrated and keeps its data`, async () => {
      const folder = await restore(fixture);
      // Without background jobs: the fixture has deliveries to a receiver on another machine.
      const server = await startServer(folder.path, ['--worker', 'off']);
      const { token } = await createKey(folder.path, 'admin', 'read,write,manage');
      const read = (path: string) => get(server, token, path);
      await assertSameData(read);
      await assertSameMoney(read, fixture.split('-')[0]!);
      await server.stop();
      assert.equal(await readSchema(folder.path), storedSchema(database));
    });
  }

  // 0.8.0 keeps accounts of affiliates, which 0.7.0 does not know: an instance that still runs would mix them up.
  test('what 0.7.0 writes of money after an upgrade is refused', async () => {
    const folder = await restore(fixtures.find((name) => name.startsWith('0.7.0-'))!);
    const server = await startServer(folder.path, ['--worker', 'off']);
    await server.stop();
    const names =
      'coupon_id, from_pool, to_pool, amount, kind, user_id, note, created_at, unpaid_after, awaiting_after, ' +
      'pending_payout_after, paid_after';
    const insert = `insert into ledger (${names})
      select ${names} from ledger order by id limit 1`;
    const refused = /A later version has upgraded this database|ledger_refuses_earlier_versions/;
    if (database === 'sqlite') {
      const db = new DatabaseSync(folder.databaseFile);
      assert.throws(() => db.exec(insert), refused);
      db.close();
      return;
    }
    const client = new pg.Client({ connectionString: (await databaseUrlOf(folder.path))! });
    await client.connect();
    await assert.rejects(client.query(insert), refused);
    await client.end();
  });
});

async function get(server: Server, key: string, path: string): Promise<any> {
  const { status, body } = await server.call(`~${path}`, { key });
  assert.equal(status, 200, `${path}: ${JSON.stringify(body)}`);
  return body;
}

/** Every balance, figure and statement is what the release itself said, whatever the answers have besides. */
async function assertSameMoney(read: (path: string) => Promise<any>, version: string) {
  const file = join(import.meta.dirname, `${version}-answers.json`);
  const stored: Record<string, unknown> = JSON.parse(readFileSync(file, 'utf8'));
  const now = await readMoney(read);
  for (const [path, numbers] of Object.entries(stored)) {
    assert.deepEqual(numbersLike(numbers, now[path]), numbers, path);
  }
}

/** The data of fill-store.ts, as today's API shows it. */
async function assertSameData(read: (path: string) => Promise<any>): Promise<void> {
  const verified = await read('/svc/store/v1/ledger/verify');
  assert.deepEqual(verified, { ok: true, coupons: 5, entries: 11, differences: [] });

  const coupons = await read('/svc/v2/coupons');
  assert.deepEqual(
    Object.fromEntries(
      coupons.map((coupon: any) => [
        // The code of an accepted applicant is random.
        coupon.code.endsWith('10') ? coupon.code : 'random',
        [coupon.unpaid_commission, coupon.pending_payout_commission, coupon.paid_commission],
      ]),
    ),
    { random: [0, 0, 0], CHLOE10: [0, 13.3, 0], BRUNO10: [10.1, 0, 0], AMARA10: [0, 0, 20.05] },
  );
  const { totals } = await read('/svc/v2/reports/summary');
  assert.deepEqual(
    [totals.orders_count, totals.total_sales, totals.total_commission, totals.upline_commission],
    [4, 386, 43.6, 10.15],
  );
  const { total, refunded, referrals } = await read('/svc/store/v1/orders/1004');
  assert.deepEqual([total, refunded, referrals[0].commission], [103, 20, 8.3]);

  const payouts = await read('/svc/v2/payouts');
  assert.deepEqual(
    payouts.map((payout: any) => [payout.status, payout.amount]),
    [
      ['pending', 13.3],
      ['paid', 20.05],
    ],
  );
  // Encrypted with the secret of the data folder.
  const details = await read('/svc/store/v1/affiliates/2/payout-details');
  assert.equal(details.masked, 'DE…3000');

  const registrations = await read('/svc/v2/registrations');
  assert.deepEqual(
    registrations.map((registration: any) => registration.status),
    ['accepted', 'pending'],
  );
  const [webhook] = await read('/svc/v2/webhooks');
  assert.equal(webhook.url, 'https://receiver.example.com/hook');
  const [event] = await read('/svc/v2/events?per_page=1');
  assert.equal(typeof event.event, 'string');
}
