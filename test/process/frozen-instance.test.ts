import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { testServer } from '../postgres/databases.ts';
import { eventually } from '../support/eventually.ts';
import { databaseUrlOf } from './installation-database.ts';
import { inTheEnd } from './launch.ts';
import { checkDatabase, rowsIn } from './look-inside.ts';
import { install, runJson } from './run.ts';
import { startServer, type Server } from './running-server.ts';

const STORE = '~/svc/store/v1';

if (testServer() !== undefined) {
  test('an instance that is suspended inside a transaction does not block others, and its work is done once', async () => {
    const { data, key } = await install();
    const [frozen, other] = await Promise.all([startServer(data), startServer(data)]);
    const post = (server: Server, path: string, json: object) =>
      server.call(`${STORE}${path}`, { method: 'POST', key, json });
    const coupon = await post(frozen, '/coupons', { code: 'STILL', user_id: 1 });
    assert.equal(coupon.status, 201, coupon.text);
    const adjust = (server: Server, amount: number) =>
      post(server, `/coupons/${coupon.body.id}/adjustments`, { amount, note: 'x' });

    const holder = new pg.Client({ connectionString: (await databaseUrlOf(data))! });
    await holder.connect();
    const sessions = async (condition: string) => {
      const { rows } = await holder.query(
        `select pid from pg_stat_activity where datname = current_database() and ${condition}`,
      );
      return rows.length;
    };
    await holder.query('begin');
    await holder.query('select 1 from coupons for update');
    const first = adjust(frozen, 1);
    await eventually(async () => assert.equal(await sessions("wait_event_type = 'Lock'"), 1));

    // The instance gets the lock while it is suspended, so its session holds the lock without using
    // it.
    frozen.child.kill('SIGSTOP');
    try {
      await holder.query('rollback');
      await eventually(async () =>
        assert.equal(await sessions("state = 'idle in transaction'"), 1),
      );
      const second = await inTheEnd(adjust(other, 2), 'a change on the other instance');
      assert.equal(second.status, 201, second.text);
      // The jobs of the other one have transactions too, for moments.
      await eventually(async () =>
        assert.equal(await sessions("state = 'idle in transaction'"), 0),
      );
    } finally {
      frozen.child.kill('SIGCONT');
      await holder.end();
    }

    const answer = await first;
    assert.equal(answer.status, 201, `${answer.text}\n${frozen.output.stderr}`);
    const posted = await rowsIn(data, 'select amount from ledger order by amount');
    assert.deepEqual(posted, [{ amount: 100 }, { amount: 200 }]);
    assert.equal((await adjust(frozen, 4)).status, 201, 'it continues');
    assert.equal((await runJson(['verify', '--data', data])).ok, true);
    await checkDatabase(data);
  });
}
