import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { feedHead } from '../../../test/support/feed-head.ts';
import { idOf, openTestApp, refusal } from '../../../test/support/harness.ts';
import { invoke } from '../../kernel/call/invoke.ts';
import { createGroup } from '../groups/index.ts';

/** Notes, tags, changes of many, and looking at the portal: what the store does with affiliates besides paying them. */
const app = await openTestApp();
const admin = await app.key('admin', 'read,write,manage');
const manager = await app.key('manager', 'read,write,manage');
const STORE = '/svc/store/v1';
const [maya, tomas] = [idOf('maya'), idOf('tomas')];
const send = (method: string, path: string, json?: unknown, key = admin) =>
  app.call(`${STORE}${path}`, { method, key, ...(json !== undefined && { json }) });
const get = (path: string, key = admin) => app.call(`${STORE}${path}`, { key });
const eventsAfter = async (head: number) =>
  (await app.call(`/events?after=${head}`, { key: admin })).body
    .filter((event: any) => event.event.startsWith('affiliate.'))
    .map((event: any) => [event.event, event.data, event.user_id]);
for (const name of ['Gold', 'Silver']) await invoke(app.site, createGroup, { name });

describe('notes', () => {
  test('are listed newest first with their author, and deleted by it or an administrator', async () => {
    const first = await send('POST', `/affiliates/${maya}/notes`, { text: 'One\n<b>' }, manager);
    assert.equal(first.status, 201, first.text);
    const second = await send('POST', `/affiliates/${maya}/notes`, { text: 'Two' });
    const { body, headers } = await get(`/affiliates/${maya}/notes?per_page=1`);
    assert.deepEqual(body, [second.body]);
    assert.equal(headers.get('x-svc-total'), '2');
    assert.equal(first.body.author.login, 'manager');

    const note = (id: number) => `/affiliates/${maya}/notes/${id}`;
    assert.equal(
      refusal(await send('DELETE', note(second.body.id), undefined, manager)),
      '403 svc_api_forbidden',
    );
    const elsewhere = `/affiliates/${tomas}/notes/${first.body.id}`;
    assert.equal(refusal(await send('DELETE', elsewhere)), '404 svc_api_not_found');
    assert.equal((await send('DELETE', note(first.body.id), undefined, manager)).status, 200);
    assert.equal(refusal(await send('DELETE', note(first.body.id))), '404 svc_api_not_found');
    assert.equal((await get(`/affiliates/${maya}/notes`)).body.length, 1);

    for (const text of ['', 'x'.repeat(2_001)]) {
      const reply = await send('POST', `/affiliates/${maya}/notes`, { text });
      assert.equal(refusal(reply), '400 rest_invalid_param');
    }
    assert.equal(
      refusal(await send('POST', '/affiliates/99999/notes', { text: 'x' })),
      '404 svc_api_not_found',
    );
  });
});

describe('tags', () => {
  test('exist while an affiliate has them, in any case; concurrent changes make none twice', async () => {
    const set = (id: number, tags: string[]) => send('PUT', `/affiliates/${id}/tags`, { tags });
    const names = async () => (await get('/tags')).body.map((tag: any) => tag.name);
    const head = await feedHead(app.site);
    const [a, b] = await Promise.all([set(maya, ['VIP', ' travel ']), set(tomas, ['vip'])]);
    assert.equal(a.status, 200, a.text);
    assert.deepEqual(
      [...a.body.tags, ...b.body.tags].map((name: string) => name.toLowerCase()),
      ['travel', 'vip', 'vip'],
    );
    assert.equal((await names()).length, 2);
    await set(tomas, ['Vip']);
    assert.deepEqual(
      (await eventsAfter(head)).map(([name, data]: any) => [name, data.changed]),
      [
        ['affiliate.updated', ['tags']],
        ['affiliate.updated', ['tags']],
      ],
    );
    assert.equal((await get(`/affiliates/${maya}/tags`)).body.tags.length, 2);
    await set(maya, []);
    assert.deepEqual(
      (await names()).map((name: string) => name.toLowerCase()),
      ['vip'],
    );
    for (const tag of ['', '  ', 'a,b', 'x'.repeat(41), 'a\nb']) {
      assert.equal(refusal(await set(maya, [tag])), '400 rest_invalid_param', tag);
    }
  });
});

describe('POST /svc/store/v1/affiliates/batch', () => {
  test('each affiliate is changed separately and has its own result', async () => {
    const head = await feedHead(app.site);
    const { status, body } = await send(
      'POST',
      '/affiliates/batch',
      {
        ids: [maya, 99_999, idOf('admin'), maya],
        status: 'suspended',
        reason: 'Spam',
        add_groups: ['gold'],
        add_tags: ['risk'],
      },
      manager,
    );
    assert.equal(status, 200);
    assert.deepEqual(
      body.items.map(({ id, ok, error }: any) => [id, ok, error?.code]),
      [
        [maya, true, undefined],
        [99_999, false, 'svc_api_not_found'],
        [idOf('admin'), false, 'svc_api_not_found'],
      ],
    );
    assert.deepEqual(
      (await eventsAfter(head)).map(([name]: any) => name),
      ['affiliate.updated', 'affiliate.suspended'],
    );
    const [note] = (await get(`/affiliates/${maya}/notes`)).body;
    assert.deepEqual([note.text, note.author.login], ['Suspended: Spam', 'manager']);
    const affiliate = await app.call(`/affiliates/${maya}`, { key: admin });
    assert.deepEqual([affiliate.body.status, affiliate.body.groups], ['suspended', ['Gold']]);

    const unknown = await send('POST', '/affiliates/batch', { ids: [maya], add_groups: ['None'] });
    assert.equal(unknown.body.items[0].error.code, 'rest_invalid_param');
    await send('POST', '/affiliates/batch', {
      ids: [maya],
      status: 'active',
      remove_groups: ['GOLD'],
      remove_tags: ['RISK'],
    });
    const after = await app.call(`/affiliates/${maya}`, { key: admin });
    assert.deepEqual([after.body.status, after.body.groups], ['active', []]);
  });

  test('an affiliate with as many tags as there can be keeps them', async () => {
    const tags = Array.from({ length: 20 }, (_, i) => `tag ${i + 10}`);
    const add = (names: string[]) =>
      send('POST', '/affiliates/batch', { ids: [maya], add_tags: names });
    assert.equal((await add(tags)).body.items[0].ok, true);
    const { error } = (await add(['one more'])).body.items[0];
    assert.deepEqual(error, {
      code: 'rest_invalid_param',
      message: 'An affiliate has at most 20 tags, and this one would have 21.',
    });
    const { body } = await get(`/affiliates/${maya}/tags`);
    assert.deepEqual(body.tags.toSorted(), tags);
    const none = { ids: [maya], remove_tags: tags };
    assert.equal((await send('POST', '/affiliates/batch', none)).body.items[0].ok, true);
  });
});

describe('POST /svc/store/v1/affiliates/{id}/views', () => {
  test('is in the feed, and a page that shows the portal changes nothing', async () => {
    const head = await feedHead(app.site);
    const { status, body } = await send('POST', `/affiliates/${maya}/views`, undefined, manager);
    assert.deepEqual([status, body], [201, { url: `/app?as=${maya}` }]);
    assert.deepEqual(await eventsAfter(head), [
      ['affiliate.viewed', { user_id: maya, viewer_id: idOf('manager') }, idOf('manager')],
    ]);
    const headers = { 'x-svc-view-as': String(maya) };
    const note = { method: 'POST', key: manager, headers, json: { text: 'x' } };
    assert.equal(
      refusal(await app.call(`${STORE}/affiliates/${maya}/notes`, note)),
      '403 svc_api_view_only',
    );
    const read = await app.call(`/affiliates/${maya}`, { key: manager, headers });
    assert.equal(read.status, 200);
    assert.equal(refusal(await send('POST', '/affiliates/99999/views')), '404 svc_api_not_found');
  });
});

test('notes and tags are exported with the person, and erased with it', async () => {
  await send('POST', `/affiliates/${tomas}/notes`, { text: 'Met at the fair' });
  const { body } = await get(`/affiliates/${tomas}/person`);
  assert.deepEqual(
    body.data.notes.map(({ text }: any) => text),
    ['Met at the fair'],
  );
  assert.equal(body.data.tags.length, 1);
  const erased = await send('POST', `/affiliates/${tomas}/anonymise`, { login: 'tomas' });
  assert.equal(erased.status, 200, erased.text);
  assert.deepEqual((await get(`/affiliates/${tomas}/notes`)).body, []);
  assert.deepEqual((await get('/tags')).body, []);
  const [entry] = (await get('/affiliates?search=anonymised')).body;
  assert.deepEqual([entry.status, entry.tags], ['suspended', []]);
  assert.deepEqual((await get('/affiliates?search=tomas')).body, []);
});
