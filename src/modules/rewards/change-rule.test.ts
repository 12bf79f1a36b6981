import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { idOf, openTestApp, refusal } from '../../../test/support/harness.ts';
import { activeRules } from './rules.ts';

const STORE = '/svc/store/v1';
const RULES = `${STORE}/rewards/rules`;
const app = await openTestApp();
const admin = await app.key('admin', 'read,write,manage');
const send = (method: string, path: string, json?: object) =>
  app.call(path, { method, key: admin, json });
const create = async (json: object) => (await send('POST', RULES, json)).body;
const change = (id: number, json: object) => send('PATCH', `${RULES}/${id}`, json);
const ids = async () =>
  (await app.call(RULES, { key: admin })).body.rules.map((rule: any) => rule.id);
const events = async () =>
  (await app.call('/events?event=reward&after=0&per_page=100', { key: admin })).body;

describe('PATCH /rewards/rules/{id}', () => {
  test('200: replaces the fields that are sent, and orders see it immediately', async () => {
    const rule = await create({ name: 'a', what: { tags: ['sale'] }, rate: { percent: 5 } });
    const { status, body } = await change(rule.id, { rate: { fixed_per_order: 2.5 } });
    assert.equal(status, 200);
    const { sentence, version, ...rest } = rule;
    assert.ok(body.version > version);
    assert.notEqual(body.sentence, sentence);
    assert.partialDeepStrictEqual(body, {
      ...rest,
      rate: { percent: null, fixed_per_order: 2.5, fixed_per_product: null },
    });
    const { rules, version: loaded } = await activeRules(app.site);
    assert.equal(loaded, body.version);
    assert.equal(rules.find(({ id }) => id === rule.id)?.rate.fixed_per_order, 2.5);
    await change(rule.id, { active: false });
    const active = (await activeRules(app.site)).rules;
    assert.ok(!active.some(({ id }) => id === rule.id));
  });

  test('200: moves, and the same change again is none', async () => {
    const [first, second] = [
      await create({ rate: { percent: 1 } }),
      await create({ rate: { percent: 2 } }),
    ];
    const before = (await ids()).filter((id: number) => id !== second.id);
    const moved = await change(second.id, { position: 1 });
    assert.equal(moved.body.position, 1);
    assert.deepEqual(await ids(), [second.id, ...before]);
    const again = await change(second.id, { position: 1, version: second.version });
    assert.deepEqual([again.status, again.body.version], [200, moved.body.version]);
    assert.equal((await change(first.id, { rate: { percent: 1 } })).body.version, first.version);
  });

  test('400: a day that does not fit the stored one; nothing is changed', async () => {
    const rule = await create({ from: '2026-11-10', rate: { percent: 1 } });
    const reply = await change(rule.id, { to: '2026-11-09', name: 'x' });
    assert.deepEqual(Object.keys(reply.body.data.params), ['to']);
    assert.equal((await change(rule.id, {})).body.name, '');
  });

  test('404', async () => {
    assert.equal(refusal(await change(4711, { active: false })), '404 svc_api_not_found');
  });

  test('409: changed after the version that the caller has seen', async () => {
    const rule = await create({ rate: { percent: 1 } });
    const other = await create({ rate: { percent: 3 } });
    const seen = rule.version;
    assert.equal((await change(rule.id, { rate: { percent: 2 }, version: seen })).status, 200);
    const late = await change(rule.id, { rate: { percent: 4 }, version: seen });
    assert.equal(refusal(late), '409 svc_api_conflict');
    // The version of the list is as good as that of the rule.
    const { version } = (await app.call(RULES, { key: admin })).body;
    assert.equal((await change(other.id, { rate: { percent: 4 }, version })).status, 200);
  });

  test('of many changes of one version, one wins', async () => {
    const rule = await create({ rate: { percent: 1 } });
    const replies = await Promise.all(
      Array.from({ length: 8 }, (_, i) =>
        change(rule.id, { rate: { percent: 20 + i }, version: rule.version }),
      ),
    );
    const [won, ...others] = replies.toSorted((a, b) => a.status - b.status);
    assert.equal(won!.status, 200);
    for (const lost of others) assert.equal(refusal(lost), '409 svc_api_conflict');
    const { rules } = (await app.call(RULES, { key: admin })).body;
    assert.deepEqual(rules.find(({ id }: any) => id === rule.id).rate, won!.body.rate);
  });

  test('what a rule names may be deleted later: it says so, and can still be changed', async () => {
    const { body: coupon } = await send('POST', `${STORE}/coupons`, {
      code: 'GONE',
      user_id: idOf('maya'),
    });
    const rule = await create({ who: { coupons: [coupon.id] }, rate: { percent: 1 } });
    assert.match(rule.sentence, /GONE/);
    assert.equal((await send('DELETE', `${STORE}/coupons/${coupon.id}`)).body.deleted, true);
    const { body } = await change(rule.id, { name: 'still here' });
    assert.deepEqual(body.missing, [{ field: 'who.coupons[0]', id: coupon.id }]);
    assert.ok(!body.sentence.includes('GONE'));
    const refused = await change(rule.id, { who: { coupons: [coupon.id] } });
    assert.equal(refusal(refused), '400 rest_invalid_param');
  });

  test('the event has both sentences, and the name of no affiliate', async () => {
    const rule = await create({ who: { affiliates: [idOf('maya')] }, rate: { percent: 7 } });
    await change(rule.id, { rate: { percent: 8 } });
    const [created, changed] = (await events()).filter(
      ({ object_id }: any) => object_id === rule.id,
    );
    assert.deepEqual(
      [created.event, changed.event],
      ['reward.rule_created', 'reward.rule_changed'],
    );
    assert.equal(changed.data.previous, created.data.sentence);
    assert.match(changed.data.sentence, /8/);
    assert.doesNotMatch(JSON.stringify([created, changed]), /maya/i);
  });
});

describe('DELETE /rewards/rules/{id}', () => {
  test('200, then 404', async () => {
    const rule = await create({ rate: { percent: 1 } });
    const path = `${RULES}/${rule.id}`;
    const { status, body } = await send('DELETE', path);
    assert.deepEqual([status, body.deleted], [200, true]);
    assert.ok(body.version > rule.version && !(await ids()).includes(rule.id));
    assert.equal(refusal(await send('DELETE', path)), '404 svc_api_not_found');
    const last = (await events()).at(-1);
    assert.deepEqual([last.event, last.data.previous], ['reward.rule_removed', rule.sentence]);
  });

  test('409: changed after the version that the caller has seen', async () => {
    const rule = await create({ rate: { percent: 1 } });
    await change(rule.id, { name: 'changed' });
    const reply = await send('DELETE', `${RULES}/${rule.id}?version=${rule.version}`);
    assert.equal(refusal(reply), '409 svc_api_conflict');
  });
});

describe('PUT /rewards/rules/order', () => {
  const order = (given: number[], version: number) =>
    send('PUT', `${RULES}/order`, { ids: given, version });
  const list = async () => (await app.call(RULES, { key: admin })).body;

  test('200: the rules are asked in this order', async () => {
    const { version } = await list();
    const wanted = (await ids()).toReversed();
    const { status, body } = await order(wanted, version);
    assert.deepEqual([status, body.version], [200, version + 1]);
    const order_ = body.rules.map(({ id }: any) => id);
    assert.deepEqual(order_, wanted);
    assert.deepEqual(await ids(), wanted);
    const active = (await activeRules(app.site)).rules.map(({ id }) => id);
    assert.deepEqual(
      active,
      wanted.filter((id: number) => active.includes(id)),
    );
    // Sent again because the response was lost.
    assert.equal((await order(wanted, version)).body.version, version + 1);
    assert.deepEqual((await events()).at(-1).data, { rule_ids: wanted });
  });

  test('400: not exactly the rules', async () => {
    const { version } = await list();
    const [, ...rest] = await ids();
    for (const given of [rest, [...rest, 4711], []]) {
      const reply = await order(given, version);
      assert.deepEqual(Object.keys(reply.body.data.params), ['ids']);
    }
  });

  test('409: the list was changed', async () => {
    const { version } = await list();
    await create({ rate: { percent: 1 } });
    assert.equal(refusal(await order((await ids()).toReversed(), version)), '409 svc_api_conflict');
  });

  test('of two orders at the same moment one wins', async () => {
    const { version } = await list();
    const all = await ids();
    const [a, b] = [all.toReversed(), [...all.slice(1), all[0]]];
    const replies = await Promise.all([order(a, version), order(b, version)]);
    assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 409]);
    assert.deepEqual(await ids(), replies[0].status === 200 ? a : b);
  });
});

test('the version cannot be set like other settings', async () => {
  const reply = await send('PATCH', `${STORE}/settings`, { 'rewards.version': 1 });
  assert.deepEqual(Object.keys(reply.body.data.params), ['rewards.version']);
});
