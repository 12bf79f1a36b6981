import assert from 'node:assert/strict';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { orderStatuses } from '../../src/modules/orders/index.ts';
import { dataFolder } from '../../src/data-folder.ts';
import { tempFolder } from './launch.ts';
import { readDatabaseFile } from './look-inside.ts';
import { paste } from './paste.ts';
import { assertRefused, REFUSED, run } from './run.ts';
import { startServer, type Server } from './running-server.ts';

const startDemo = (data: string, ...flags: string[]) =>
  startServer(data, flags, { command: 'demo' });

interface Printed {
  people: { login: string; role: string; password: string }[];
  adminKey: string;
  affiliateKey: string;
  adminPassword: string;
  curls: string[];
}

/** What a demo tells on the terminal. */
function read(text: string): Printed {
  const roles = 'administrator|manager|affiliate|customer';
  const rows = text.matchAll(new RegExp(`^ +(\\w+) +(${roles}) +(\\w+)$`, 'gm'));
  return {
    people: [...rows].map(([, login, role, password]) => ({
      login: login!,
      role: role!,
      password: password!,
    })),
    adminKey: /API key of admin .* (svc_\w+)$/m.exec(text)![1]!,
    affiliateKey: /API key of maya .* (svc_\w+)$/m.exec(text)![1]!,
    adminPassword: /Application password of admin +(.+)$/m.exec(text)![1]!,
    curls: text.split('\n').filter((line) => line.startsWith('curl ')),
  };
}

const inDemo = (data: string, sql: string) =>
  readDatabaseFile(dataFolder(data).databaseFile, (select) => select(sql));

const peopleIn = (data: string) =>
  inDemo(data, 'select id, login, email, display_name, role from users order by id');

/** What of a store is the same each time: all but the dates. */
const storeIn = (data: string) =>
  Promise.all(
    [
      'select code, user_id, percent, unpaid, awaiting from coupons order by id',
      'select order_id, status, total, discount, refunded from orders order by order_id',
      'select order_id, coupon_id, commission, state from referrals order by order_id, coupon_id',
    ].map((sql) => inDemo(data, sql)),
  );

describe('demo', () => {
  const data = join(tempFolder(), 'with a space', 'demo');
  let server: Server;
  let printed: Printed;
  before(async () => {
    server = await startDemo(data);
    printed = read(server.output.stdout);
  });

  test('prints three curl lines that work as pasted', async () => {
    assert.equal(printed.curls.length, 3);
    const bodies = [];
    for (const line of printed.curls) {
      const { status, text } = await paste(line, server);
      assert.equal(status, 200, `${line}\n${text}`);
      bodies.push(JSON.parse(text));
    }
    const [me, keys, events] = bodies;
    assert.equal(me.user.login, 'maya');
    assert.deepEqual(
      me.coupons.map(({ code }: { code: string }) => code.split(/\d|-/)[0]),
      ['MAYA', 'MAYA'],
    );
    assert.ok(me.coupons[0].unpaid_commission > 0);
    assert.equal(keys.length, 2);
    assert.equal(events[0].id, 1);
  });

  test('a store in business: what it says it made is there, up to today', async () => {
    const [, affiliates, coupons, orders, days] =
      /Made up: (\d+) affiliates, (\d+) coupons, (\d+) orders, .* (\d+) days$/m
        .exec(server.output.stdout)!
        .map(Number);
    assert.deepEqual([affiliates, coupons, orders, days], [41, 61, 1500, 90]);
    const [madeCoupons, madeOrders, referrals] = await storeIn(data);
    assert.equal(madeCoupons!.length, coupons);
    assert.equal(madeOrders!.length, orders);
    assert.ok(referrals!.length > 1_200);
    const statuses = new Set(madeOrders!.map((order) => order['status']));
    assert.deepEqual([...statuses].sort(), [...orderStatuses].sort());
    assert.ok(
      madeOrders!.some(({ status, refunded }) => status === 'completed' && Number(refunded) > 0),
      'some are refunded in part',
    );
    const listed = await server.call('/affiliates?per_page=1', { key: printed.adminKey });
    assert.equal(listed.headers['x-svc-total'], '41');
    const [last] = await inDemo(
      data,
      'select min(placed_at) as first, max(placed_at) as last from orders',
    );
    const ageDays = (instant: unknown) => (Date.now() - Number(instant)) / 86_400_000;
    assert.ok(ageDays(last!['last']) >= 0 && ageDays(last!['last']) < 1);
    assert.ok(ageDays(last!['first']) > 85 && ageDays(last!['first']) < 91);
  });

  test('a line of affiliates above each other, who earn from each other', async () => {
    const found = await server.call('/affiliates?search=tom', { key: printed.adminKey });
    const { id } = JSON.parse(found.text)[0];
    const record = await server.call(`/affiliates/${id}`, { key: printed.adminKey });
    assert.equal(JSON.parse(record.text).mla_parents.T1.login, 'maya');
    const shares = await inDemo(
      data,
      'select tier, sum(granted) as granted from mla_shares group by tier',
    );
    assert.deepEqual(
      shares.map(({ tier }) => tier),
      [1, 2, 3],
    );
    assert.ok(shares.every(({ granted }) => Number(granted) > 0));
  });

  test('applications in each state, some of them waiting', async () => {
    const { text } = await server.call('/registrations', { key: printed.adminKey });
    const counts = { pending: 0, accepted: 0, declined: 0 };
    for (const { status } of JSON.parse(text) as { status: keyof typeof counts }[]) {
      counts[status] += 1;
    }
    assert.deepEqual(counts, { pending: 3, accepted: 1, declined: 1 });
  });

  test('some came through a link, so that clicks have conversions', async () => {
    const { text } = await server.call('/clicks/stats', { key: printed.adminKey });
    const { clicks, conversions } = JSON.parse(text);
    assert.equal(clicks, 3_000);
    assert.ok(conversions > 50, text);
  });

  test('payouts in every state that people can bring them to', async () => {
    const { text } = await server.call('/payouts', { key: printed.adminKey });
    const statuses = JSON.parse(text).map(({ status }: { status: string }) => status);
    assert.deepEqual([...new Set(statuses)].sort(), ['cancel', 'created', 'paid', 'pending']);
  });

  test('its balances agree with its journal', async () => {
    const { code, stdout } = await run(['verify', '--data', data]);
    assert.equal(code, 0, stdout);
  });

  test('the people it prints can sign in', async () => {
    assert.ok(printed.people.length >= 4);
    for (const { login, role, password } of printed.people) {
      const json = { login, password };
      const session = await server.call('~/session', { method: 'POST', json });
      assert.equal(session.status, 201, `${login}: ${session.text}`);
      assert.equal(session.body.role, role);
    }
  });

  test('the keys and the password it prints work', async () => {
    const { adminKey, affiliateKey, adminPassword } = printed;
    const admin = await server.call('/me', { key: adminKey });
    assert.deepEqual(admin.body.auth.scopes, ['read', 'write', 'manage']);
    const affiliate = await server.call('/me', { key: affiliateKey });
    assert.deepEqual([affiliate.body.access, affiliate.body.auth.scopes], ['affiliate', ['read']]);
    const basic = await server.call('/me', { basic: `admin:${adminPassword}` });
    assert.equal(basic.body.auth.method, 'application_password');
  });

  test('the log holds none of the secrets', () => {
    const { people, adminKey, affiliateKey, adminPassword } = printed;
    const passwords = people.map(({ password }) => password);
    for (const secret of [adminKey, affiliateKey, adminPassword, ...passwords]) {
      assert.ok(!server.output.stderr.includes(secret));
    }
  });

  test('a second one on the same folder is refused, and the first goes on', async () => {
    await assert.rejects(startDemo(data), /ended with [24]:[^]* is running on /);
    const json = { description: 'still there' };
    const made = await server.call('/keys', { method: 'POST', key: printed.adminKey, json });
    assert.equal(made.status, 201, made.text);
    const ids = await inDemo(data, "select id from api_keys where description = 'still there'");
    assert.equal(ids.length, 1);
  });

  test('the next one has the same people, coupons and orders with other secrets', async () => {
    const people = await peopleIn(data);
    assert.deepEqual(
      people.slice(0, printed.people.length).map(({ login }) => login),
      printed.people.map(({ login }) => login),
    );
    const store = await storeIn(data);
    await server.stop();
    const next = await startDemo(data, '--json');
    const again = JSON.parse(next.output.stdout) as Omit<Printed, 'curls'>;
    assert.deepEqual(await peopleIn(data), people);
    assert.deepEqual(await storeIn(data), store);
    const { adminKey, affiliateKey, adminPassword } = again;
    assert.notEqual(adminKey, printed.adminKey);
    assert.notEqual(affiliateKey, printed.affiliateKey);
    assert.notEqual(adminPassword, printed.adminPassword);
    for (const [i, { login, password }] of again.people.entries()) {
      assert.equal(login, printed.people[i]!.login);
      assert.notEqual(password, printed.people[i]!.password);
    }
    assert.equal((await next.call('/me', { key: printed.adminKey })).status, 401);
    const { body } = await next.call('/keys', { key: adminKey });
    assert.equal(body.length, 2);
    await next.stop();
  });

  test('a folder that is not a demo is refused and left alone', async () => {
    const folder = tempFolder();
    writeFileSync(join(folder, 'precious.txt'), 'thesis');
    const result = await run(['demo', '--data', folder, '--port', '0']);
    assertRefused(result, REFUSED, /not a demo.*--data/);
    assert.deepEqual(readdirSync(folder), ['precious.txt']);
  });
});
