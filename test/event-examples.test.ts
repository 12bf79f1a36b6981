import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { compiledOf } from '../src/kernel/call/error-messages.ts';
import { exampleBody } from '../src/kernel/declare/event.ts';
import { idOf, openTestApp } from './support/harness.ts';

const app = await openTestApp();
const admin = await app.key('admin', 'read,write,manage');
const events = app.site.registry.events();

/** All examples, oldest event first: together they describe one history. */
const history = events
  .map((event) => ({
    ...exampleBody(event),
    data: event.example.data as Record<string, any>,
    event,
  }))
  .sort((a, b) => a.id - b.id);
const named = (type: string) => history.find((one) => one.type === type)!.data;

describe('the examples of events', () => {
  for (const { type, data, event } of history) {
    test(`${type}: matches its schema, with the fields in its order`, () => {
      const schema = compiledOf(event.data);
      assert.deepEqual([...schema.Errors(data)], []);
      const fields = Object.keys(event.data.properties).filter((field) => field in data);
      assert.deepEqual(Object.keys(data), fields);
    });
  }

  test('ids are unique, and ids and times increase together', () => {
    const ids = history.map(({ id }) => id);
    assert.equal(new Set(ids).size, ids.length, `an id is used twice: ${ids}`);
    const times = history.map(({ timestamp }) => timestamp);
    assert.deepEqual(times, times.toSorted(), 'the times are not in the order of the ids');
    for (const time of times) assert.equal(new Date(time).toISOString(), time);
  });

  test('only expiry dates are after the event', () => {
    for (const { type, timestamp, data } of history) {
      const second = timestamp.slice(0, 19);
      for (const [field, value] of Object.entries(data)) {
        if (!field.startsWith('date') || value === null) continue;
        if (field === 'date_expires') assert.ok(value > second, type);
        else assert.ok(value <= second, `${type}: ${field} ${value} is after ${timestamp}`);
      }
    }
  });

  test('all amounts have the same currency', () => {
    const currencies = history.flatMap(({ data }) => [data['currency'], data['balance']?.currency]);
    assert.deepEqual([...new Set(currencies.filter(Boolean))], ['USD']);
  });

  test('a coupon belongs to the same affiliate in all examples', () => {
    const owners = new Map<number, number>();
    for (const { type, data } of history) {
      if (data['coupon_id'] === undefined) continue;
      const owner = owners.get(data['coupon_id']) ?? data['user_id'];
      assert.equal(data['user_id'], owner, `${type}: coupon ${data['coupon_id']}`);
      owners.set(data['coupon_id'], owner);
    }
    const handedOver = named('coupon.updated');
    assert.deepEqual(handedOver['changed'], ['user_id']);
    assert.notEqual(handedOver['balance'].from_user_id, handedOver['user_id']);
  });

  test('an application has the status that its event names', () => {
    assert.equal(named('registration.created')['status'], 'pending');
    for (const status of ['accepted', 'declined']) {
      assert.equal(named(`registration.${status}`)['status'], status);
    }
    const { status: _, ...applied } = named('registration.created');
    assert.partialDeepStrictEqual(named('registration.accepted'), applied);
  });

  test('commissions and shares match their orders, and payouts match the commissions', () => {
    const percent = named('settings.updated')['changed']['commission.percent'];
    const [firstLevel] = app.site.registry.settings().get('multilevel.percents')!
      .default as number[];
    const updated = named('referral.updated');
    assert.equal(updated['commission'], (updated['total'] * percent) / 100);
    assert.equal(named('commission.added')['amount'], updated['commission']);
    assert.equal(named('commission.mla_added')['amount'], (updated['total'] * firstLevel!) / 100);
    const reversed = named('referral.reversed');
    assert.equal(reversed['commission'], 0);
    assert.equal(reversed['amount'], (reversed['total'] * percent) / 100);
    assert.equal(named('commission.removed')['amount'], reversed['amount']);
    assert.equal(named('payout.paid')['amount'], named('commission.added')['amount']);
    assert.equal(named('payout.failed')['amount'], named('commission.mla_added')['amount']);
  });
});

test('the service emits the events that the examples of orders and levels show', async () => {
  const send = async (method: string, path: string, json: object) => {
    const reply = await app.call(path, { method, key: admin, json });
    assert.ok(reply.status < 300, reply.text);
    return reply.body;
  };
  const store = '/svc/store/v1';
  const [maya, tomas] = [idOf('maya'), idOf('tomas')];
  const above = await send('POST', `${store}/coupons`, { code: 'TOMAS10', user_id: tomas });
  const own = await send('POST', `${store}/coupons`, { code: 'MAYA10', user_id: maya });
  await send('PUT', `${store}/affiliates/${maya}/parent`, { parent_id: tomas });
  const order = { date: '2026-01-20T14:05:00', coupon_codes: ['MAYA10'] };
  for (const [id, total, status] of [
    [1038, 80, 'completed'],
    [1042, 125, 'processing'],
    [1042, 125, 'completed'],
    [1038, 80, 'cancelled'],
  ] as const) {
    await send('PUT', `${store}/orders/${id}`, { ...order, total, status });
  }
  const { body } = await app.call('/events?after=0&per_page=100', { key: admin });
  const ids: Record<string, Record<number, number>> = {
    coupon_id: { 12: own.id, 9: above.id },
    user_id: { 7: maya, 4: tomas },
  };
  for (const type of [
    'referral.created',
    'referral.updated',
    'referral.reversed',
    'commission.added',
    'commission.removed',
    'commission.mla_added',
    'commission.mla_removed',
  ]) {
    const example = Object.entries(named(type)).map(([k, v]) => [k, ids[k]?.[v as number] ?? v]);
    const emitted = body.findLast(
      (one: any) => one.event === type && one.data.order_id === named(type)['order_id'],
    );
    assert.deepEqual(emitted?.data, Object.fromEntries(example), type);
  }
});
