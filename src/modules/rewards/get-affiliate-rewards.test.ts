import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { idOf, openTestApp, refusal } from '../../../test/support/harness.ts';

const STORE = '/svc/store/v1';
const DAY_MS = 24 * 60 * 60_000;
const app = await openTestApp({ settings: { 'commission.percent': 10 } });
const admin = await app.key('admin', 'read,write,manage');
const maya = await app.key('maya', 'read');
const post = async (path: string, json: object) => {
  const reply = await app.call(`${STORE}${path}`, { method: 'POST', key: admin, json });
  assert.equal(reply.status, 201, reply.text);
  return reply.body;
};
const rewards = (key = maya, headers = {}, login = 'maya') =>
  app.call(`${STORE}/affiliates/${idOf(login)}/rewards`, { key, headers });
const sentences = (rows: { sentence: string }[]) => rows.map(({ sentence }) => sentence);

describe('GET /affiliates/{id}/rewards', () => {
  test('200: without rules, the rate of the store', async () => {
    const { status, body } = await rewards();
    assert.equal(status, 200);
    assert.deepEqual(body, {
      rules: [],
      built_in: [{ name: 'store', sentence: 'Everything else earns 10%.' }],
      bonuses: [],
    });
  });

  test('the rules that concern the affiliate and have not ended, in their order', async () => {
    const day = (days: number) => app.site.calendar.dayOf(app.site.clock() + days * DAY_MS);
    await post('/groups', { name: 'Gold' });
    await post('/coupons', { code: 'OURS', user_id: idOf('maya') });
    const others = await post('/coupons', { code: 'THEIRS', user_id: idOf('tomas') });
    const rule = (json: object) => post('/rewards/rules', json);
    const both = [idOf('maya'), idOf('tomas')];
    const first = await rule({ who: { affiliates: both }, rate: { percent: 11 } });
    await rule({ who: { affiliates: [idOf('tomas')] }, rate: { percent: 12 } });
    await rule({ who: { coupons: [others.id] }, rate: { percent: 13 } });
    await rule({ who: { groups: ['Gold'] }, rate: { percent: 14 } });
    await rule({ to: day(-1), rate: { percent: 15 } });
    await rule({ active: false, rate: { percent: 16 } });
    const last = await rule({ what: { tags: ['gift'] }, rate: { excluded: true } });
    const { body } = await rewards();
    assert.deepEqual(body.rules, [
      { id: first.id, sentence: 'You earn 11%.' },
      { id: last.id, sentence: 'You earn nothing on products with the tag gift.' },
    ]);
  });

  test('the rates of each coupon where they differ', async () => {
    await post('/coupons', { code: 'BETTER', user_id: idOf('maya'), percent_override: 25 });
    const found = sentences((await rewards()).body.built_in);
    assert.ok(found.includes('Your coupon OURS earns 10%.'), found.join());
    assert.ok(found.includes('Your coupon BETTER earns 25%.'), found.join());
  });

  test('in the language of the reader', async () => {
    const { body } = await rewards(maya, { 'accept-language': 'de' });
    assert.match(body.rules[0].sentence, /^Sie verdienen 11\s%\.$/);
  });

  test('404: for other affiliates; 200 for administrators', async () => {
    assert.match(refusal(await rewards(maya, {}, 'tomas')), /^404 /);
    assert.equal((await rewards(admin)).status, 200);
  });
});
