import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import type { BatchWork } from '../../src/db/database.ts';
import { openPostgres } from '../../src/db/postgres/open-postgres.ts';
import { query } from '../../src/db/statements/query.ts';
import { UnknownOutcome } from '../../src/db/unavailable.ts';
import { openProxy } from '../redis/proxy.ts';
import { eventually } from '../support/eventually.ts';
import { refusal } from '../support/harness.ts';
import { openPayoutApp } from '../support/payouts.ts';
import { makeDatabase, onServer, testServer } from './databases.ts';

const insert = query<{ name: string }>((db, p) =>
  db.insertInto('cursors').values({ name: p.name, position: 0 }),
);

test('a batch whose commit was lost may be stored: none of its items is done again, or refused', async () => {
  const made = await makeDatabase(testServer()!);
  const database = await openPostgres(made.url);
  await database.transaction((tx) =>
    tx.execute(
      `create function end_session() returns trigger language plpgsql as
         $$ begin perform pg_terminate_backend(pg_backend_pid()); return null; end $$;
       create constraint trigger at_commit after insert on cursors deferrable initially deferred
         for each row when (new.name = 'cut off') execute function end_session()`,
    ),
  );
  const batches: string[][] = [];
  const work: BatchWork<string, void> = async (tx, names) => {
    batches.push([...names]);
    for (const name of names) await tx.run(insert, { name });
    return names.map(() => undefined);
  };
  const outcomes = await Promise.allSettled(
    ['alone', 'beside', 'cut off'].map((name) => database.batchedTransaction(work, name)),
  );
  assert.deepEqual(batches, [['alone'], ['beside', 'cut off']]);
  assert.deepEqual(
    outcomes.map((outcome) => outcome.status === 'fulfilled' || outcome.reason.constructor),
    [true, UnknownOutcome, UnknownOutcome],
  );
  await database.close();
  await made.drop();
});

test('a key that was reserved when the server went away is free as soon as there is one again', async () => {
  const server = testServer()!;
  const made = await makeDatabase(server);
  const proxy = await openProxy(server);
  const address = new URL(made.url);
  address.host = new URL(proxy.url).host;
  const payouts = await openPayoutApp({
    config: { databaseUrl: address.href },
    settings: { 'payouts.details_required': false },
  });
  const couponId = await payouts.coupon(20);
  const request = () =>
    payouts.app.call('/payouts', {
      method: 'POST',
      key: payouts.admin,
      json: { coupon_id: couponId },
      headers: { 'idempotency-key': 'one' },
    });
  const holder = new pg.Client(made.url);
  await holder.connect();
  await holder.query('begin');
  await holder.query(`select from coupons where id = ${couponId} for update`);
  const first = request();
  const waiting = `select from pg_stat_activity where datname = '${made.name}' and wait_event_type = 'Lock'`;
  await eventually(async () => assert.equal((await onServer(server, waiting)).length, 1));
  await proxy.cut();
  assert.equal(refusal(await first), '503 svc_api_not_writable');
  await holder.end();
  await proxy.open();
  // Time does not pass in this test, so a reservation never lapses.
  assert.equal((await request()).status, 201);
  await made.drop();
});
