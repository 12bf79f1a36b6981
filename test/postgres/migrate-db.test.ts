import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, test } from 'node:test';
import pg from 'pg';
import { pino } from 'pino';
import { openApp } from '../../src/app.ts';
import { copyDatabase, OtherRowsError } from '../../src/db/copy-database.ts';
import { resolveConfig } from '../../src/installation/config.ts';
import { invoke } from '../../src/kernel/call/invoke.ts';
import { createCoupon } from '../../src/modules/coupons/index.ts';
import { verifyLedger } from '../../src/modules/ledger/index.ts';
import { DemoClock } from '../../src/tools/demo/demo-clock.ts';
import { fillDemo } from '../../src/tools/demo/demo-data.ts';
import { openDemoPartners } from '../../src/tools/demo/demo-partners.ts';
import { assertRefused, REFUSED, runHere, USAGE } from '../process/run.ts';
import { startServer } from '../process/running-server.ts';
import { keysOfTables } from '../support/key-columns.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { makeDatabase, onServer, testServer } from './databases.ts';

const server = testServer();
const log = pino({ level: 'silent' });

/** What a copy leaves out: what has been done to the schema, and who does a job at the moment. */
const LEFT = new Set(['migrations', 'installation', 'leases', 'sqlite_sequence', 'sqlite_stat1']);

function tablesOf(file: string): string[] {
  const db = new DatabaseSync(file, { readOnly: true });
  const rows = db.prepare("select name from sqlite_master where type = 'table'").all();
  db.close();
  return rows.map((row) => String(row['name'])).filter((name) => !LEFT.has(name));
}

if (server !== undefined) describe('an installation moved to a server', () => moving(server));

function moving(url: string): void {
  test('is the same there, though interrupted, and goes on', async () => {
    const data = tempFolder();
    const made = await makeDatabase(url);
    const options = { data, tls: 'off' };
    const partners = await openDemoPartners();
    const clock = new DemoClock();
    const { config } = resolveConfig({ ...options, ...partners.config }, {});
    const from = await openApp({ config, log, clock: clock.read });
    const there = { ...options, databaseUrl: made.url };
    const to = await openApp({ config: resolveConfig(there, {}).config, log });
    try {
      await fillDemo(from.site, clock, partners);
      let steps = 0;
      const copy = (onProgress: (done: number, all: number) => void) =>
        copyDatabase(from.site.database, to.site.database, onProgress);
      const stopped = copy(() => {
        if (++steps === 15) throw new Error('interrupted');
      });
      await assert.rejects(stopped, /interrupted/);
      const shown: number[] = [];
      const copies = await copy((done, all) => void shown.push(done / all));
      for (const { table, rows, copied } of copies) assert.equal(copied, rows, table);
      assert.deepEqual(
        shown,
        shown.toSorted((a, b) => a - b),
      );

      const file = join(data, 'tributary.db');
      assert.deepEqual(copies.map(({ table }) => table).sort(), tablesOf(file).sort());
      const keys = await keysOfTables(to.site.database);
      await assertSame(
        file,
        made.url,
        new Map(copies.map(({ table }) => [table, keys.get(table)!])),
      );
      assert.equal((await invoke<{ ok: boolean }>(to.site, verifyLedger)).ok, true);
      const coupon = await invoke<{ id: number }>(to.site, createCoupon, { code: 'AFTERWARDS' });
      const last = copies.find(({ table }) => table === 'coupons')!.rows;
      assert.ok(coupon.id > last, 'numbers go on behind those that came along');
    } finally {
      await from.close();
      await to.close();
      await partners.close();
      await made.drop();
    }
  });

  test('leaves a file that refuses to start and names the new location, until --back', async () => {
    const made = await makeDatabase(url, { empty: true });
    const data = join(tempFolder(), 'data');
    const onFile = { env: { DATABASE_URL: '' } };
    const tributary = (...args: string[]) => runHere([...args, '--data', data], onFile);
    const admin = ['admin', 'create', '--login', 'ann', '--email', 'ann@test.example'];
    try {
      assert.equal((await tributary(...admin)).code, 0);
      assertRefused(await tributary('migrate-db', '--back'), REFUSED, /was not moved/);
      const moved = await tributary('migrate-db', '--to', made.url);
      assert.equal(moved.code, 0, moved.stderr);

      const { pathname, host, password } = new URL(made.url);
      const words = new RegExp(
        String.raw`tributary\.db was moved to PostgreSQL on \d{4}-\d\d-\d\d: the database ` +
          `${pathname.slice(1)} on ${host}.*DATABASE_URL.*migrate-db --back`,
      );
      for (const command of [['start', '--port', '0'], ['verify'], admin]) {
        const refused = await tributary(...command);
        assertRefused(refused, USAGE, words);
        if (password !== '') assert.ok(!refused.stderr.includes(password));
      }
      const there = await startServer(data, [], { env: { DATABASE_URL: made.url } });
      assert.equal((await there.call('~/readyz')).status, 200);
      await there.stop();

      assert.equal((await tributary('migrate-db', '--back')).code, 0);
      const back = await startServer(data, [], onFile);
      assert.equal((await back.call('~/readyz')).status, 200);
      await back.stop();
    } finally {
      await made.drop();
    }
  });

  test('into a database that is already in use: refused, and nothing is written', async () => {
    const options = { data: tempFolder(), tls: 'off' };
    const made = await makeDatabase(url);
    const from = await openApp({ config: resolveConfig(options, {}).config, log });
    const there = { ...options, databaseUrl: made.url };
    const to = await openApp({ config: resolveConfig(there, {}).config, log });
    const copy = () => copyDatabase(from.site.database, to.site.database, () => {});
    try {
      // The numbers are the same here and there: counting rows would not tell.
      for (const code of ['ONE', 'TWO']) await invoke(from.site, createCoupon, { code });
      await invoke(to.site, createCoupon, { code: 'OTHER' });
      await assert.rejects(copy(), OtherRowsError);
      const [row] = await onServer(made.url, 'select count(*)::int as "rows" from coupons');
      assert.deepEqual(row, { rows: 1 });
    } finally {
      await from.close();
      await to.close();
      await made.drop();
    }
  });
}

async function assertSame(
  file: string,
  url: string,
  keys: ReadonlyMap<string, readonly string[]>,
): Promise<void> {
  const here = new DatabaseSync(file, { readOnly: true });
  const there = new pg.Client({ connectionString: url, types: { getTypeParser } });
  await there.connect();
  try {
    let compared = 0;
    for (const [name, key] of keys) {
      const select = `select * from "${name}" order by ${key.map((k) => `"${k}"`).join()}`;
      const mine = here.prepare(select).all();
      const { rows: theirs } = await there.query(select);
      assert.equal(theirs.length, mine.length, name);
      for (const [i, row] of mine.entries()) assert.deepEqual({ ...theirs[i] }, { ...row }, name);
      compared += mine.length;
    }
    assert.ok(compared > 1_000, String(compared));
  } finally {
    here.close();
    await there.end();
  }
}

const getTypeParser = ((oid: number) =>
  oid === 20 ? Number : pg.types.getTypeParser(oid)) as typeof pg.types.getTypeParser;
