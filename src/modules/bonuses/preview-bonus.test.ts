import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { openTestApp } from '../../../test/support/harness.ts';

const BONUSES = '/svc/store/v1/rewards/bonuses';
const app = await openTestApp();
const admin = await app.key('admin', 'read,write,manage');
const post = (path: string, json: object, key = admin) =>
  app.call(path, { method: 'POST', key, json });
const target = { by: 'orders', counts: 'granted', window: { kind: 'month' }, at: 10 };
const bonus = { target, pays: { amount: 50 } };

describe('POST /rewards/bonuses/sentence', () => {
  test('200: the sentence that the bonus would have, and nothing is saved', async () => {
    const { status, body, text } = await post(`${BONUSES}/sentence`, bonus);
    assert.equal(status, 200, text);
    assert.deepEqual((await app.call(BONUSES, { key: admin })).body.bonuses, []);
    const { body: created } = await post(BONUSES, { name: 'Autumn', ...bonus });
    assert.deepEqual(body, { sentence: created.sentence });
  });

  test('400: the refusals of a bonus, each under its path; 403 for managers', async () => {
    const pays = { percent: 5, of: 'sales' };
    const refused = { who: { groups: ['Nowhere'] }, target, pays: { amount: 0.001 } };
    const { status, body } = await post(`${BONUSES}/sentence`, refused);
    assert.equal(status, 400);
    assert.deepEqual(Object.keys(body.data.params), ['pays.amount']);
    const always = { target: { ...target, window: { kind: 'always' } }, pays };
    const reply = await post(`${BONUSES}/sentence`, always);
    assert.deepEqual(Object.keys(reply.body.data.params), ['pays.percent']);
    const key = await app.key('manager', 'read,write,manage');
    assert.equal((await post(`${BONUSES}/sentence`, bonus, key)).status, 403);
  });
});
