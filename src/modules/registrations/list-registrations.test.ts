import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { openTestApp, refusal } from '../../../test/support/harness.ts';

const app = await openTestApp();
const admin = await app.key('admin', 'read,write');
const get = (path: string, key = admin) => app.call(`/registrations${path}`, { key });

const applied: { id: number; user: { id: number } }[] = [];
for (const login of ['one', 'two', 'three']) {
  const json = { login, email: `${login}@test.example` };
  const reply = await app.call('/svc/store/v1/registrations', { method: 'POST', json });
  applied.push(reply.body);
}
const [one, two, three] = applied.map(({ id }) => id) as [number, number, number];
for (const [id, status] of [
  [one, 'accepted'],
  [two, 'declined'],
] as const) {
  const json = { status };
  await app.call(`/registrations/${id}/status`, { method: 'POST', key: admin, json });
}

describe('GET /registrations', () => {
  test('200: newest first, filtered by status and user, in pages', async () => {
    const ids = async (query: string) => (await get(query)).body.map((row: any) => row.id);
    assert.deepEqual(await ids(''), [three, two, one]);
    assert.deepEqual(await ids('?status=pending'), [three]);
    assert.deepEqual(await ids('?status=accepted'), [one]);
    assert.deepEqual(await ids('?status=declined'), [two]);
    assert.deepEqual(await ids(`?user_id=${applied[1]!.user.id}`), [two]);
    assert.deepEqual(await ids(`?user_id=${applied[1]!.user.id}&status=pending`), []);
    assert.deepEqual(await ids('?per_page=2&page=2'), [one]);
    assert.deepEqual(await ids('?page=9'), []);
    const { headers } = await get('?per_page=2');
    assert.equal(headers.get('x-svc-total'), '3');
    assert.equal(headers.get('x-svc-totalpages'), '2');
  });

  test('400: an invalid status or user', async () => {
    for (const query of ['?status=open', '?user_id=0', '?per_page=101']) {
      assert.equal(refusal(await get(query)), '400 rest_invalid_param', query);
    }
  });

  test('403: a key without the scope, and a user who is not an admin', async () => {
    const writer = await app.key('admin', 'write');
    assert.equal(refusal(await get('', writer)), '403 svc_api_insufficient_scope');
    const maya = await app.key('maya', 'read');
    assert.equal(refusal(await get('', maya)), '403 svc_api_forbidden');
  });
});

describe('GET /registrations/{id}', () => {
  test('200: the same as in the list', async () => {
    const { status, body } = await get(`/${two}`);
    assert.equal(status, 200);
    assert.deepEqual(body, (await get('?status=declined')).body[0]);
    assert.deepEqual(body.user, {
      id: applied[1]!.user.id,
      display_name: 'two',
      login: 'two',
      email: 'two@test.example',
    });
  });

  test('404: an unknown application; other users get 403', async () => {
    assert.equal(refusal(await get('/999999')), '404 svc_api_not_found');
    const maya = await app.key('maya', 'read');
    assert.equal(refusal(await get(`/${one}`, maya)), '403 svc_api_forbidden');
  });
});
