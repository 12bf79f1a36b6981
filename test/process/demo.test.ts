import assert from 'node:assert/strict';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { dataFolder } from '../../src/installation/data-folder.ts';
import { orderStatuses } from '../../src/modules/orders/index.ts';
import { addonFacts } from '../support/addon-facts.ts';
import { eventually } from '../support/eventually.ts';
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

interface Payout {
  status: string;
  date: string;
  date_paid: string | null;
  transaction_id: string;
  failure_reason: { code: string } | null;
}

interface Delivery {
  state: string;
  attempts: number;
  code: number | null;
  error: string;
  date_next: string | null;
}

const DAY_MS = 24 * 60 * 60_000;

function daysBetween(dates: readonly string[]): number {
  const instants = dates.map((date) => Date.parse(`${date}Z`));
  return (Math.max(...instants) - Math.min(...instants)) / DAY_MS;
}

/** The parsed output of a demo. */
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

/** The parts of a store that are the same each time: all except the dates. */
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
  let store: Awaited<ReturnType<typeof storeIn>>;
  before(async () => {
    server = await startDemo(data);
    // Read before the tests change it.
    store = await storeIn(data);
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

  test('prints the addresses of the portal and of the console, which answer', async () => {
    for (const [name, path, login] of [
      ['Portal of affiliates', '/app', 'maya'],
      ['Console of the team', '/console', 'admin'],
    ] as const) {
      const line = `  ${name}: ${server.url}${path} (sign in as ${login})\n`;
      assert.ok(server.output.stdout.includes(line), name);
      assert.equal((await server.call(`~${path}`)).status, 303, `${path} leads to the sign-in`);
    }
  });

  test('a store in business: what it says it made is there, up to today', async () => {
    const [, affiliates, coupons, orders, days] =
      /Made up: (\d+) affiliates, (\d+) coupons, (\d+) orders, .* (\d+) days$/m
        .exec(server.output.stdout)!
        .map(Number);
    assert.deepEqual([affiliates, coupons, orders, days], [41, 61, 1500, 90]);
    const [madeCoupons, madeOrders, referrals] = store;
    assert.equal(madeCoupons!.length, coupons);
    // Those of the review are counted as cases.
    const [, cases] = /(\d+) cases/.exec(server.output.stdout)!.map(Number);
    assert.equal(madeOrders!.length, orders! + cases!);
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

  test('affiliates on several levels earn from each other', async () => {
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

  test('orders are credited by coupon, click, visitor, referral code and subscription', async () => {
    const counts = await inDemo(
      data,
      'select credited_by, count(*) as orders from referrals group by credited_by order by credited_by',
    );
    assert.deepEqual(
      counts.map(({ credited_by }) => credited_by),
      ['click_id', 'coupon_codes', 'referral_code', 'subscription', 'visitor'],
    );
    assert.ok(counts.every(({ orders }) => Number(orders) > 10));
  });

  test('rules decide orders, steps were reached and bonuses paid', async () => {
    const [{ rules }] = (await inDemo(data, 'select count(*) as rules from reward_rules')) as [any];
    assert.equal(rules, 5);
    const text = (await inDemo(data, 'select rates from referrals'))
      .map(({ rates }) => String(rates))
      .join();
    for (let rule = 1; rule <= rules; rule += 1)
      assert.ok(text.includes(`"rule":${rule}`), `${rule}`);
    assert.match(text, /"value":12\b/, 'the second step');
    const paid = await inDemo(data, 'select distinct bonus_id from bonus_payments order by 1');
    assert.deepEqual(
      paid.map(({ bonus_id }) => Number(bonus_id)),
      [1, 2],
    );
  });

  test('a series is on, a personal page is shown and one waits', async () => {
    const states = await inDemo(
      data,
      'select distinct active, state from series join series_members on series_id = id order by state',
    );
    assert.deepEqual(
      states.map(({ active, state }) => [Number(active), state]),
      [
        [1, 'left'],
        [1, 'waiting'],
      ],
    );
    const pages = await inDemo(data, 'select state from personal_pages order by state');
    assert.deepEqual(
      pages.map(({ state }) => state),
      ['shown', 'waiting'],
    );
    const page = await server.call('~/with/MAYA10');
    assert.equal(page.status, 200);
    assert.match(page.text, /Maya recommends Willow &amp; Wick Candles/);
  });

  test('add-ons with a folder of their own have the sample data that they declare', async () => {
    const readAsAffiliate = async (path: string) =>
      (await server.call(`~/svc/store/v1${path}`, { key: printed.affiliateKey })).text;
    for (const { assertInDemo } of addonFacts) await assertInDemo?.(readAsAffiliate);
  });

  test('payouts in every state; those that failed say why', async () => {
    const { text } = await server.call('/payouts', { key: printed.adminKey });
    const payouts: Payout[] = JSON.parse(text);
    assert.deepEqual([...new Set(payouts.map(({ status }) => status))].sort(), [
      'cancel',
      'created',
      'failed',
      'paid',
      'pending',
      'processing',
    ]);
    const failed = payouts.filter(({ status }) => status === 'failed');
    assert.ok(failed.length > 0);
    for (const { failure_reason } of failed) {
      assert.equal(failure_reason?.code, 'account_unknown');
    }
    for (const { transaction_id } of payouts.filter(({ status }) => status === 'paid')) {
      assert.match(transaction_id, /^(SEPA-)?DEMO-/);
    }
    assert.ok(daysBetween(payouts.map(({ date }) => date)) > 60, text);
    assert.ok(daysBetween(payouts.flatMap(({ date_paid }) => date_paid ?? [])) > 60, text);
  });

  test('PayPal is there for as long as the demo runs', async () => {
    const found = await server.call('/affiliates?search=tom', { key: printed.adminKey });
    const coupons = await server.call(`/coupons?user_id=${JSON.parse(found.text)[0].id}`, {
      key: printed.adminKey,
    });
    const owed = JSON.parse(coupons.text).find(
      (coupon: { unpaid_commission: number }) => coupon.unpaid_commission > 0,
    );
    const json = { coupon_id: owed.id };
    const made = await server.call('/payouts', { method: 'POST', key: printed.adminKey, json });
    assert.equal(made.status, 201, made.text);
    const { status, gateway_triggered } = made.body;
    assert.deepEqual([status, gateway_triggered], ['created', true], made.text);
  });

  test('one webhook fails and is tried again, another receives its events', async () => {
    const { text } = await server.call('/webhooks', { key: printed.adminKey });
    const webhooks: { id: number; url: string }[] = JSON.parse(text);
    const logOf = async (receiver: string): Promise<Delivery[]> => {
      const { id } = webhooks.find(({ url }) => url.endsWith(receiver))!;
      const log = await server.call(`~/svc/store/v1/webhooks/${id}/deliveries`, {
        key: printed.adminKey,
      });
      return JSON.parse(log.text);
    };
    await eventually(async () => {
      const tried = (await logOf('/broken-receiver')).filter(({ attempts }) => attempts > 0);
      assert.ok(tried.length >= 3);
      for (const { code, error, state, date_next } of tried) {
        assert.deepEqual([code, error, state], [500, 'The receiver answered 500.', 'pending']);
        assert.notEqual(date_next, null);
      }
    });
    await eventually(async () => {
      const deliveries = await logOf('/healthy-receiver');
      assert.ok(deliveries.length > 0);
      assert.ok(deliveries.every(({ state, code }) => state === 'delivered' && code === 204));
    });
  });

  test('what happened is spread over the days, and the change feed is in their order', async () => {
    const applications = await server.call('/registrations', { key: printed.adminKey });
    const dates = JSON.parse(applications.text).map(({ date }: { date: string }) => date);
    assert.ok(daysBetween(dates) > 60, applications.text);
    const instants = (await inDemo(data, 'select created_at from events order by id')).map(
      ({ created_at }) => Number(created_at),
    );
    assert.deepEqual(
      instants,
      instants.toSorted((a, b) => a - b),
    );
    assert.ok(new Set(instants).size > 100);
    assert.ok(instants.at(-1)! <= Date.now());
    const [first] = instants;
    assert.ok(Date.now() - first! > 90 * DAY_MS);
  });

  test('its balances agree with its ledger', async () => {
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
