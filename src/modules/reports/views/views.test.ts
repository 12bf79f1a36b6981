import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { openTestApp, refusal } from '../../../../test/support/harness.ts';

const app = await openTestApp();
const admin = await app.key('admin', 'read,write');
const manager = await app.key('manager', 'read,write');
const path = '/svc/store/v1/report-views';
const list = async (key = admin) => {
  const { status, body } = await app.call(path, { key });
  assert.equal(status, 200);
  return body.views;
};
const save = (name: string, query: string, key = admin) =>
  app.call(path, { method: 'POST', key, json: { name, query } });
const remove = (id: number, key = admin) => app.call(`${path}/${id}`, { method: 'DELETE', key });

describe('saved views of the reports', () => {
  test('each person has its own, by name; the same name replaces one', async () => {
    assert.deepEqual(await list(), []);
    const first = await save(' Quarter ', 'by=coupon&days=90');
    assert.equal(first.status, 201);
    assert.deepEqual(first.body, { ...first.body, name: 'Quarter', query: 'by=coupon&days=90' });
    await save('Affiliates', 'by=affiliate');
    await save('Quarter', 'by=day', manager);
    const again = await save('Quarter', 'by=coupon&days=90&sort=-sales');
    assert.deepEqual([again.status, again.body.id], [201, first.body.id]);
    assert.deepEqual(
      (await list()).map(({ name, query }: { name: string; query: string }) => [name, query]),
      [
        ['Affiliates', 'by=affiliate'],
        ['Quarter', 'by=coupon&days=90&sort=-sales'],
      ],
    );
    assert.deepEqual((await list(manager)).length, 1);
  });

  test("404: another's view, and one that is gone", async () => {
    const [{ id }] = await list(manager);
    assert.equal(refusal(await remove(id)), '404 svc_api_not_found');
    assert.equal((await remove(id, manager)).status, 200);
    assert.equal(refusal(await remove(id, manager)), '404 svc_api_not_found');
    assert.deepEqual(await list(manager), []);
  });

  test('409: the 21st, also of several at the same time; one that exists can be replaced', async () => {
    const replies = await Promise.all(
      Array.from({ length: 22 }, (_, i) => save(`View ${i}`, `page=${i}`, manager)),
    );
    const refused = replies.filter(({ status }) => status !== 201);
    assert.deepEqual(refused.map(refusal), [
      '409 svc_api_too_many_views',
      '409 svc_api_too_many_views',
    ]);
    const [{ name }] = await list(manager);
    assert.equal((await save(name, 'by=day', manager)).status, 201);
    assert.equal((await list(manager)).length, 20);
  });

  test('400: no name, a long name, what is not a query', async () => {
    for (const [name, query] of [
      ['', 'by=day'],
      ['   ', 'by=day'],
      ['x'.repeat(61), 'by=day'],
      ['a', 'x'.repeat(301)],
      ['a', '"><script>'],
      ['a', '#top'],
      ['a', '/../..'],
    ] as const) {
      assert.equal(refusal(await save(name, query)), '400 rest_invalid_param', `${name} ${query}`);
    }
  });

  test('403: an affiliate', async () => {
    const key = await app.key('maya', 'read,write');
    assert.equal(refusal(await app.call(path, { key })), '403 svc_api_forbidden');
    assert.equal(refusal(await save('a', '', key)), '403 svc_api_forbidden');
  });
});
