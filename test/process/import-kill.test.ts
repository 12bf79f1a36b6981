import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { eventually } from '../support/eventually.ts';
import { ended, launch, tempFolder } from './launch.ts';
import { checkDatabase, rowsIn, untilNobodyIsConnected } from './look-inside.ts';
import { install, run, runEach, runJson } from './run.ts';

/** Of each import that is killed. */
const LINES = 1_500;
const KILLS = 2;
/** On a busy machine an import may be done before it is killed; then the next one is tried. */
const TRIES_MAX = 10;
const COUPONS = ['LEFT', 'RIGHT', 'BOTH'];

describe('kill -9 of an import', () => {
  let data: string;
  before(async () => {
    ({ data } = await install());
    const codes = join(tempFolder(), 'codes.ndjson');
    writeFileSync(codes, COUPONS.map((code) => `{"code": "${code}", "user": "admin"}\n`).join(''));
    const [made] = await runEach([{ args: ['import', 'coupons', codes, '--data', data] }]);
    assert.equal(made!.code, 0, made!.stderr);
  });

  /** The arguments that import the orders of these numbers. */
  const importing = (first: number, last: number) => {
    const orders = Array.from({ length: last - first + 1 }, (_, i) => ({
      order_id: first + i,
      date: '2026-04-01T10:00:00',
      status: 'completed',
      total: 10,
      coupon_codes: [COUPONS[i % COUPONS.length]],
    }));
    const file = join(tempFolder(), 'orders.ndjson');
    writeFileSync(file, orders.map((order) => `${JSON.stringify(order)}\n`).join(''));
    return ['import', 'orders', file, '--data', data];
  };

  const count = async (table: string, where = 'true') => {
    const [row] = await rowsIn(data, `select count(*) as n from ${table} where ${where}`);
    return Number(row!['n']);
  };

  test('leaves complete orders, and a second run imports the rest, each once', async () => {
    let all = 0;
    for (let kills = 0, tries = 0; kills < KILLS; tries += 1) {
      assert.ok(tries < TRIES_MAX, `${kills} of ${tries} imports could be killed`);
      const countBefore = await count('orders');
      const child = await launch(importing(all + 1, all + LINES));
      all += LINES;
      await eventually(async () => assert.ok((await count('orders')) > countBefore));
      child.kill('SIGKILL');
      await ended(child);
      await untilNobodyIsConnected(data);
      if ((await count('orders')) === countBefore + LINES) continue;
      kills += 1;
      await checkDatabase(data);
      const verified = await run(['verify', '--data', data]);
      assert.equal(verified.code, 0, verified.stdout);
    }

    const kept = await count('orders');
    const report = await runJson(importing(1, all));
    assert.deepEqual(
      [report.read, report.new, report.known, report.refused],
      [all, all - kept, kept, 0],
    );
    await checkDatabase(data);
    const verified = await run(['verify', '--data', data]);
    assert.equal(verified.code, 0, verified.stdout);
    for (const table of ['orders', 'referrals', 'ledger']) {
      assert.equal(await count(table), all, table);
    }
    for (const event of ['referral.created', 'commission.added']) {
      assert.equal(await count('events', `event = '${event}'`), all, event);
    }
  });
});
