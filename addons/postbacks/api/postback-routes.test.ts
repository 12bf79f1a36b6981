import assert from 'node:assert/strict';
import { Resolver } from 'node:dns/promises';
import { describe, mock, test } from 'node:test';
import { idOf, refusal } from '../../../test/support/harness.ts';
import { internalHosts, notation, oddUrls } from '../../../test/support/internal-addresses.ts';
import { Receiver } from '../../../test/support/receiver.ts';
import { fc } from '../../../test/support/seeded-random.ts';
import { lastOrder } from '../postback/last-order.ts';
import { withValues } from '../postback/macros.ts';
import { openPostbackApp } from '../test/postback-app.ts';

const app = await openPostbackApp({ settings: { 'postbacks.allow_private': false } });
const tomas = await app.app.key('tomas', 'read,write');
const url = 'https://tracker.invalid/p?s={status}';

const preview = (json: object, key = app.maya) =>
  app.app.call(`${app.path}/preview`, { method: 'POST', key, json });

test('an affiliate creates, lists, changes and deletes its postbacks', async () => {
  const { status, body } = await app.create({ url, events: ['reversed', 'created'] });
  assert.equal(status, 201);
  assert.partialDeepStrictEqual(body, {
    url,
    method: 'GET',
    format: 'macros',
    events: ['created', 'reversed'],
    active: true,
    failing_since: null,
    secret: null,
  });
  const changed = await app.change(body.id, { method: 'POST', events: ['granted'], active: false });
  const { secret: _, ...postback } = body;
  const expected = { ...postback, method: 'POST', events: ['granted'], active: false };
  assert.deepEqual(changed.body, expected);
  assert.deepEqual((await app.app.call(app.path, { key: app.admin })).body, [expected]);
  assert.equal(refusal(await app.change(body.id, {})), '400 rest_invalid_param');
  assert.deepEqual((await app.remove(body.id)).body, { deleted: true });
  assert.equal(refusal(await app.remove(body.id)), '404 svc_api_not_found');
});

test('the format json needs POST, and has a secret that is shown once', async () => {
  const wrong = await app.create({ url, format: 'json', method: 'GET' });
  assert.equal(refusal(wrong), '400 rest_invalid_param');
  const { body } = await app.create({ url, format: 'json' });
  assert.match(body.secret, /^whsec_/);
  assert.equal(body.method, 'POST');
  assert.equal('secret' in (await app.get(body.id)), false);
  assert.equal(refusal(await app.change(body.id, { method: 'GET' })), '400 rest_invalid_param');
  await app.remove(body.id);
});

test('an affiliate has five at most', async () => {
  const made = await Promise.all(Array.from({ length: 8 }, () => app.create({ url })));
  const ids = made.filter(({ status }) => status === 201).map(({ body }) => body.id);
  assert.equal(ids.length, 5);
  const refused = made.filter(({ status }) => status !== 201).map(refusal);
  assert.deepEqual(new Set(refused), new Set(['409 svc_api_too_many_postbacks']));
  for (const id of ids) await app.remove(id);
});

test('those of another affiliate do not exist', async () => {
  const { id } = await app.postback({ url });
  const other = app.path.replace(`/${idOf('maya')}/`, `/${idOf('tomas')}/`);
  const call = (path: string, method = 'GET', json?: object) =>
    app.app.call(path, { key: tomas, method, ...(json && { json }) });
  for (const reply of [
    await call(app.path),
    await call(app.path, 'POST', { url, events: ['created'] }),
    await call(`${app.path}/preview`, 'POST', { url, method: 'GET', format: 'macros' }),
    await call(`${app.path}/${id}`, 'DELETE'),
    await call(`${other}/${id}`, 'PATCH', { active: false }),
    await call(`${other}/${id}`, 'DELETE'),
    await call(`${other}/${id}/preview`, 'POST'),
    await call(`${other}/${id}/deliveries`),
    await call(`${other}/${id}/replay`, 'POST', { from: '2026-01-01' }),
  ]) {
    assert.equal(refusal(reply), '404 svc_api_not_found');
  }
  await app.remove(id);
});

describe('a preview', () => {
  test('is an example without an order, then the exact request for the last one', async () => {
    const given = { url: `${url}&a={amount}&k={code}`, method: 'GET', format: 'macros' };
    const before = (await preview(given)).body;
    assert.equal(before.order_id, null);
    await app.order(1, { date: '2026-03-02T10:00:00' });
    await app.order(2, { date: '2026-03-01T10:00:00' });
    assert.deepEqual((await preview(given)).body, {
      method: 'GET',
      url: 'https://tracker.invalid/p?s=created&a=100.00&k=MAYA10',
      headers: { 'user-agent': 'Tributary-Postbacks/1' },
      body: null,
      order_id: 1,
    });
  });

  test('shows headers and body of the format json', async () => {
    const { body } = await preview({ url, method: 'POST', format: 'json' });
    assert.equal(body.headers['webhook-signature'], 'v1,…');
    const { data, ...message } = JSON.parse(body.body);
    assert.equal(message.type, 'order.created');
    assert.partialDeepStrictEqual(data, { order: 1, code: 'MAYA10', sub1: '', click: null });
    const { id } = await app.postback({ url, format: 'json' });
    const path = `${app.path}/${id}/preview`;
    const saved = await app.app.call(path, { method: 'POST', key: app.maya });
    assert.match(saved.body.headers['webhook-signature'], /^v1,[\w+/]{43}=$/);
    await app.remove(id);
  });
});

describe('an address is refused', () => {
  const words: [string, RegExp][] = [
    ['https://tracker.invalid/?a={amonut}', /no macro \{amonut\}.*amount/],
    ['https://tracker.invalid/?a={constructor}', /no macro \{constructor\}/],
    ['https://{sub1}.invalid/', /host must not contain a macro/],
    ['https://tracker.invalid:{order}/', /host must not contain a macro/],
    ['https://tracker.invalid/?a={order', /brace/],
    ['https://tracker.invalid/?a=}', /brace/],
    ['{sub1}', /host/],
  ];
  for (const [odd, pattern] of words) {
    test(odd, async () => {
      const reply = await preview({ url: odd, method: 'GET', format: 'macros' });
      assert.equal(refusal(reply), '400 svc_api_invalid_postback_url');
      assert.match(reply.body.message, pattern);
    });
  }

  test('if it is not public, in any notation, and nothing connects to it', async () => {
    const canary = await new Receiver().listen('127.0.0.1');
    const { port } = canary;
    const urls = [
      ...internalHosts.map((host) => `https://${host}:${port}/{order}`),
      ...oddUrls(port),
    ];
    for (const odd of urls) {
      const reply = await app.create({ url: odd });
      assert.equal(refusal(reply), '400 svc_api_invalid_postback_url', odd);
    }
    await fc.assert(
      fc.asyncProperty(notation(), async (host) => {
        const json = { url: `https://${host}:${port}/`, method: 'GET', format: 'macros' };
        assert.equal(refusal(await preview(json)), '400 svc_api_invalid_postback_url', host);
      }),
      { numRuns: 60 },
    );
    const { id } = await app.postback({ url });
    const changed = await app.change(id, { url: `https://127.0.0.1:${port}/` });
    assert.equal(refusal(changed), '400 svc_api_invalid_postback_url');
    await app.remove(id);
    assert.equal(canary.connections, 0);
  });

  test('without looking its name up: the answer would tell which names exist inside', async () => {
    const asked = mock.method(Resolver.prototype, 'resolve4', async () => ['10.0.0.7']);
    const named = { url: 'https://wiki.inside.example/', method: 'GET', format: 'macros' };
    assert.equal((await preview(named)).status, 200);
    const { id } = await app.postback({ url: named.url });
    assert.equal((await app.change(id, { url: `${named.url}other` })).status, 200);
    await app.remove(id);
    assert.equal(asked.mock.callCount(), 0);
    asked.mock.restore();
  });

  test('when it has become private, by each attempt', async () => {
    const canary = await new Receiver().listen('127.0.0.1');
    await app.app.set({ 'postbacks.allow_private': true });
    const { id } = await app.postback({ url: `http://localhost:${canary.port}/` });
    await app.app.set({ 'postbacks.allow_private': false });
    await app.order(9);
    await app.sendDue();
    const [delivery] = await app.deliveries(id);
    assert.equal(delivery.error, 'The address of the receiver is not a public one.');
    assert.equal(canary.connections, 0);
    await app.remove(id);
  });
});

test('values never leave their place in the address', async () => {
  const { message } = await lastOrder(app.app.site.database.read, app.app.site, 999, 0);
  const template = 'https://tracker.invalid/a/{sub1}/b?k={sub1}&z=1';
  fc.assert(
    fc.property(
      fc.oneof(fc.string(), fc.constantFrom('..', '.', '/../', '?x=', '#', '&b={order}')),
      (sub1) => {
        const shown = withValues(template, { ...message, values: { ...message.values, sub1 } }, 2);
        assert.equal(shown.host, 'tracker.invalid');
        assert.match(shown.pathname, /^\/a\/[^/]*\/b$/);
        assert.deepEqual([...shown.searchParams.keys()], ['k', 'z']);
        assert.equal(shown.hash, '');
      },
    ),
  );
});
