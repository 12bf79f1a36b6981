import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { openTestApp } from '../../../test/support/harness.ts';

const RULES = '/svc/store/v1/rewards/rules';
const app = await openTestApp();
const admin = await app.key('admin', 'read,write,manage');
const post = (path: string, json: object) => app.call(path, { method: 'POST', key: admin, json });
const preview = (json: object) => post(`${RULES}/sentence`, json);
const list = async () => (await app.call(RULES, { key: admin })).body;
await post('/svc/store/v1/groups', { name: 'Gold' });

describe('POST /rewards/rules/sentence', () => {
  test('200: the sentence that the rule would have, and nothing is saved', async () => {
    const before = await list();
    const rule = { who: { groups: ['Gold'] }, what: { tags: ['sale'] }, rate: { percent: 15 } };
    const { status, body, text } = await preview(rule);
    assert.equal(status, 200, text);
    assert.deepEqual(await list(), before);
    const { body: created } = await post(RULES, rule);
    assert.deepEqual(body, { sentence: created.sentence, hidden_by: null });
  });

  test('200: which rule would hide it at its place', async () => {
    const { body: hiding } = await post(RULES, { what: { tags: ['x'] }, rate: { excluded: true } });
    const { body: below } = await post(RULES, { rate: { percent: 3 } });
    const hidden = { what: { tags: ['x'] }, rate: { percent: 1 } };
    const hiddenBy = async (json: object) => (await preview(json)).body.hidden_by;
    assert.equal(await hiddenBy(hidden), hiding.id);
    assert.equal(await hiddenBy({ ...hidden, position: 1 }), null);
    assert.equal(await hiddenBy({ ...hidden, id: below.id }), hiding.id);
    assert.equal(await hiddenBy({ ...hidden, id: hiding.id }), null);
  });

  test('400: the refusals of a rule, each under its path', async () => {
    const steps = [
      { from: 0, percent: 1 },
      { from: 0, percent: 2 },
    ];
    const counter = { by: 'orders', counts: 'granted', window: { kind: 'month' } };
    const reply = await preview({
      who: { groups: ['Nowhere'] },
      rate: { percent: 1 },
    });
    assert.equal(reply.status, 400, reply.text);
    assert.deepEqual(Object.keys(reply.body.data.params), ['who.groups[0]']);
    const { body } = await preview({ rate: { steps: { ...counter, steps } } });
    assert.deepEqual(Object.keys(body.data.params), ['rate.steps.steps[1].from']);
  });

  test('403 for managers, 404 for a rule that does not exist', async () => {
    const key = await app.key('manager', 'read,write,manage');
    const json = { rate: { percent: 1 } };
    const reply = await app.call(`${RULES}/sentence`, { method: 'POST', key, json });
    assert.equal(reply.status, 403);
    assert.equal((await preview({ ...json, id: 999_999 })).status, 404);
  });
});
