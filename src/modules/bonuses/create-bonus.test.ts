import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { idOf, openTestApp, refusal } from '../../../test/support/harness.ts';

const STORE = '/svc/store/v1';
const BONUSES = `${STORE}/rewards/bonuses`;
const app = await openTestApp();
const admin = await app.key('admin', 'read,write,manage');
const call = (method: string, path: string, json?: object) =>
  app.call(path, { method, key: admin, ...(json && { json }) });
const create = (json: object) => call('POST', BONUSES, { ...whole, ...json });
const target = { by: 'sales', counts: 'granted', window: { kind: 'month' }, at: 1000 };
const whole = { name: 'Autumn', target, pays: { amount: 50 } };

await call('POST', `${STORE}/groups`, { name: 'Gold' });

test('creating, changing and deleting a bonus emit events with its sentences, without names of people', async () => {
  const who = { affiliates: [idOf('maya')] };
  const { body: bonus } = await create({ who });
  await call('PATCH', `${BONUSES}/${bonus.id}`, { pays: { amount: 60 } });
  await call('PATCH', `${BONUSES}/${bonus.id}`, { pays: { amount: 60 } });
  await call('DELETE', `${BONUSES}/${bonus.id}`);
  const { body } = await call('GET', '/events?event=bonus&after=0&per_page=100');
  const own = body.filter(({ data }: any) => data.bonus_id === bonus.id);
  const bonus_id = bonus.id;
  const { data: created } = own[0];
  assert.match(created.sentence, /50\.00/);
  const changed = created.sentence.replace('50.00', '60.00');
  assert.deepEqual(
    own.map(({ event, data }: any) => [event, data]),
    [
      ['bonus.created', { bonus_id, sentence: created.sentence, active: true }],
      ['bonus.changed', { bonus_id, sentence: changed, active: true, previous: created.sentence }],
      ['bonus.removed', { bonus_id, previous: changed }],
    ],
  );
  assert.doesNotMatch(JSON.stringify(own), /maya/i);
});

describe('POST /rewards/bonuses', () => {
  test('201: a bonus with every part, and one with the defaults', async () => {
    const given = { ...whole, active: false, who: { groups: ['Gold'] }, once: 'ever' };
    const { status, body, text } = await create(given);
    assert.equal(status, 201, text);
    const { id, version, sentence, missing, ...rest } = body;
    assert.deepEqual(rest, given);
    assert.ok(id > 0 && version > 0);
    assert.deepEqual(missing, []);
    assert.match(sentence, /Gold.*50\.00.*1,000\.00/);
    const { body: plain } = await create({});
    assert.deepEqual([plain.active, plain.who, plain.once], [true, {}, 'window']);
    const { body: event } = await create({ target: { event: 'accepted' } });
    assert.equal(event.once, 'ever');
    const list = (await call('GET', BONUSES)).body;
    assert.deepEqual(
      list.bonuses.map((one: any) => one.id),
      [id, plain.id, event.id],
    );
    assert.equal(list.version, event.version);
  });

  for (const [path, json, reason] of [
    ['who.groups[0]', { who: { groups: ['Silver'] } }, /no group/],
    ['who.affiliates[0]', { who: { affiliates: [9999] } }, /does not exist/],
    ['who.coupons', { who: { affiliates: [1], coupons: [1] } }, /only one/],
    ['target', { target: { by: 'sales', at: 10 } }, /either event, or by/],
    ['target', { target: { ...target, event: 'accepted' } }, /either event, or by/],
    ['target.at', { target: { ...target, at: 10.001 } }, /decimals/],
    ['target.at', { target: { ...target, by: 'orders', at: 1.5 } }, /integer/],
    ['target.window.days', { target: { ...target, window: { kind: 'days' } } }, /required/],
    ['pays', { pays: { amount: 5, percent: 2 } }, /either amount, or percent/],
    ['pays', { pays: { percent: 2 } }, /either amount, or percent/],
    ['pays.amount', { pays: { amount: 0.001 } }, /decimals/],
    [
      'pays.percent',
      { target: { ...target, window: { kind: 'always' } }, pays: { percent: 2, of: 'sales' } },
      /window that ends/,
    ],
    ['pays.percent', { target: { event: 'accepted' }, pays: { percent: 2, of: 'sales' } }, /ends/],
    ['once', { target: { ...target, window: { kind: 'days', days: 30 } }, once: 'window' }, /ever/],
    ['once', { target: { event: 'first_order' }, once: 'window' }, /ever/],
  ] as [string, object, RegExp][]) {
    test(`400: ${path} of ${JSON.stringify(json)}`, async () => {
      const { status, body } = await create(json);
      assert.equal(status, 400);
      assert.match(body.data.params[path], reason);
    });
  }

  test('403: managers and affiliates do not change bonuses', async () => {
    const manager = await app.key('manager', 'manage');
    const reply = await app.call(BONUSES, { method: 'POST', key: manager, json: whole });
    assert.equal(reply.status, 403);
    const maya = await app.key('maya', 'read,write,manage');
    assert.equal((await app.call(BONUSES, { key: maya })).status, 403);
  });

  test('409: at most 100', async () => {
    for (;;) {
      const { bonuses } = (await call('GET', BONUSES)).body;
      if (bonuses.length === 100) break;
      assert.equal((await create({})).status, 201);
    }
    assert.equal(refusal(await create({})), '409 svc_api_too_many_bonuses');
  });
});

describe('PATCH and DELETE /rewards/bonuses/{id}', () => {
  test('change, refuse what does not fit together, notice another change, delete', async () => {
    const [first] = (await call('GET', BONUSES)).body.bonuses;
    const path = `${BONUSES}/${first.id}`;
    const changed = await call('PATCH', path, {
      who: { affiliates: [idOf('maya')] },
      version: first.version,
    });
    assert.equal(changed.status, 200, changed.text);
    assert.deepEqual(changed.body.who, { affiliates: [idOf('maya')] });
    assert.ok(changed.body.version > first.version);
    const again = await call('PATCH', path, { name: 'Winter', version: first.version });
    assert.equal(refusal(again), '409 svc_api_conflict');
    const same = await call('PATCH', path, { who: changed.body.who, version: first.version });
    assert.equal(same.body.version, changed.body.version, 'sent again: nothing changes');
    await call('PATCH', path, { target: { ...target, window: { kind: 'always' } } });
    const percent = await call('PATCH', path, { pays: { percent: 5, of: 'sales' } });
    assert.match(percent.body.data.params['pays.percent'], /window that ends/);
    const old = await call('DELETE', `${path}?version=${first.version}`);
    assert.equal(refusal(old), '409 svc_api_conflict');
    assert.equal((await call('DELETE', path)).body.deleted, true);
    for (const method of ['DELETE', 'PATCH']) {
      assert.equal((await call(method, path, method === 'PATCH' ? {} : undefined)).status, 404);
    }
  });
});
