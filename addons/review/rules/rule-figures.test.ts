import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY_MS } from '../../../src/shared/durations.ts';
import { openTestApp } from '../../../test/support/harness.ts';
import { remindOfCases } from '../remind-of-cases.ts';

const app = await openTestApp();
const admin = await app.key('admin', 'read,write,manage');

async function send(method: string, path: string, json?: unknown) {
  const reply = await app.call(`/svc/store/v1${path}`, { method, key: admin, json });
  assert.ok(reply.status < 300, reply.text);
  return reply.body;
}

async function figures() {
  const rules = await send('GET', '/review/rules');
  const rule = rules.find(({ name }: { name: string }) => name === 'throwaway_mail');
  const { hits, confirmed, false_alarms, turn_off_proposed } = rule;
  return { hits, confirmed, false_alarms, turn_off_proposed };
}

let orders = 0;
await send('POST', '/affiliates', { login: 'zoe', email: 'zoe@shop.example' }).then(({ id }) =>
  send('POST', '/coupons', { code: 'ZOE', user_id: id }),
);

async function open(): Promise<number> {
  await send('PUT', `/orders/${++orders}`, {
    date: app.site.calendar.toLocal(app.site.clock()),
    status: 'completed',
    total: 100,
    coupon_codes: ['ZOE'],
    customer: { email: 'x@mailinator.com' },
  });
  const [newest] = await send('GET', '/cases?state=open&sort=newest');
  return newest.id;
}

const decide = async (decision: string) =>
  send('POST', `/cases/${await open()}/decide`, { decision });

test('a rule is proposed to be turned off below one in five confirmed, of five decided', async () => {
  assert.deepEqual(await figures(), {
    hits: 0,
    confirmed: 0,
    false_alarms: 0,
    turn_off_proposed: false,
  });
  for (let i = 0; i < 4; i++) await decide('clear');
  await open();
  assert.deepEqual(await figures(), {
    hits: 5,
    confirmed: 0,
    false_alarms: 4,
    turn_off_proposed: false,
  });
  await decide('reject');
  assert.equal((await figures()).turn_off_proposed, false, 'one in five');
  await decide('clear');
  assert.deepEqual(await figures(), {
    hits: 7,
    confirmed: 1,
    false_alarms: 5,
    turn_off_proposed: true,
  });
});

test('what a setting decides says nothing about a rule', async () => {
  await app.set({ 'review.after': 'reject' });
  app.advance(15 * DAY_MS);
  await remindOfCases.run(app.site);
  assert.deepEqual(await send('GET', '/cases?state=open'), []);
  assert.equal((await figures()).confirmed, 1);
});

test('there is nothing to propose once it is off', async () => {
  const changed = await send('PATCH', '/review/rules/throwaway_mail', { action: 'off' });
  assert.deepEqual([changed.hits, changed.turn_off_proposed], [7, false]);
});

test('cases count for 90 days', async () => {
  app.advance(75 * DAY_MS + 1);
  assert.deepEqual(await figures(), {
    hits: 0,
    confirmed: 0,
    false_alarms: 0,
    turn_off_proposed: false,
  });
});
