import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { eventually } from '../eventually.ts';
import { ended, launch, tempFolder } from './launch.ts';
import { checkDatabase, rowsIn, untilNobodyIsConnected } from './look-inside.ts';
import { install, run, runEach, runJson } from './run.ts';

const LINES = 3_000;
const ROUNDS = 2;
const COUPONS = ['LEFT', 'RIGHT', 'BOTH'];

describe('kill -9 of an import', () => {
  let data: string;
  const file = join(tempFolder(), 'orders.ndjson');
  before(async () => {
    ({ data } = await install());
    const codes = join(tempFolder(), 'codes.ndjson');
    writeFileSync(codes, COUPONS.map((code) => `{"code": "${code}", "user": "admin"}\n`).join(''));
    const [made] = await runEach([{ args: ['import', 'coupons', codes, '--data', data] }]);
    assert.equal(made!.code, 0, made!.stderr);
    const orders = Array.from({ length: LINES }, (_, i) => ({
      order_id: i + 1,
      date: '2026-04-01T10:00:00',
      status: 'completed',
      total: 10,
      coupon_codes: [COUPONS[i % COUPONS.length]],
    }));
    writeFileSync(file, orders.map((order) => `${JSON.stringify(order)}\n`).join(''));
  });

  const count = async (table: string, where = 'true') => {
    const [row] = await rowsIn(data, `select count(*) as n from ${table} where ${where}`);
    return Number(row!['n']);
  };

  test('leaves whole orders, and a second run imports the rest, each once', async () => {
    const args = ['import', 'orders', file, '--data', data];
    for (let round = 1; round <= ROUNDS; round += 1) {
      const kept = await count('orders');
      const child = await launch(args);
      await eventually(async () => assert.ok((await count('orders')) > kept));
      child.kill('SIGKILL');
      assert.equal((await ended(child)).signal, 'SIGKILL');
      await untilNobodyIsConnected(data);
      assert.ok((await count('orders')) < LINES, 'it was not done yet');
      await checkDatabase(data);
      const verified = await run(['verify', '--data', data]);
      assert.equal(verified.code, 0, verified.stdout);
    }

    const kept = await count('orders');
    const report = await runJson(args);
    assert.deepEqual(
      [report.read, report.new, report.known, report.refused],
      [LINES, LINES - kept, kept, 0],
    );
    await checkDatabase(data);
    const verified = await run(['verify', '--data', data]);
    assert.equal(verified.code, 0, verified.stdout);
    for (const table of ['orders', 'referrals', 'journal']) {
      assert.equal(await count(table), LINES, table);
    }
    for (const event of ['referral.created', 'commission.added']) {
      assert.equal(await count('events', `event = '${event}'`), LINES, event);
    }
  });
});
