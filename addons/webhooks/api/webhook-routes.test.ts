import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { openTestApp, refusal, type Reply } from '../../../test/support/harness.ts';
import { Receiver } from '../../../test/support/receiver.ts';
import { storedText } from '../../../test/support/stored-text.ts';
import { verify } from '../../../test/support/verify-signature.ts';
import { openWebhookApp, STORE } from '../test/webhook-app.ts';

const app = await openWebhookApp();
const { admin } = app;
const call = app.app.call.bind(app.app);
const NOWHERE = 'https://receiver.invalid/hook';
const pageHeadersOf = ({ headers }: Reply) =>
  ['x-svc-total', 'x-svc-totalpages'].map((name) => headers.get(name));

describe('POST /webhooks', () => {
  test('answers 201 with the webhook and its secret', async () => {
    const { status, body } = await app.create({
      name: 'Books',
      url: 'https://receiver.invalid/hook?shop=1',
      events: ['payout.paid', 'referral.created'],
    });
    assert.equal(status, 201);
    const { id, secret, date_created, ...rest } = body;
    assert.ok(id > 0);
    assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
    assert.match(date_created, /^\d{4}-\d\d-\d\dT/);
    assert.deepEqual(rest, {
      name: 'Books',
      url: 'https://receiver.invalid/hook?shop=1',
      events: ['payout.paid', 'referral.created'],
      status: 'active',
      failures: 0,
      last_delivery: null,
      last_error: '',
    });
  });

  test('the secret appears nowhere else', async () => {
    const { id, secret } = await app.webhook(NOWHERE);
    const list = await call('/webhooks?per_page=100', { key: admin });
    const changed = await app.change(id, { events: ['payout.paid'] });
    for (const { text } of [list, changed]) {
      assert.ok(!text.includes('secret'));
      assert.ok(!text.includes(secret.slice(6)));
    }
    assert.ok(app.app.logs.every((line) => !line.includes(secret.slice(6))));
    for (const [place, text] of await storedText(app.app)) {
      assert.ok(!text.includes(secret.slice(6)), `encrypted at rest: ${place}`);
    }
  });

  test('unknown and duplicate events are dropped, * replaces all others', async () => {
    const eventsOf = async (events: string[]) => (await app.create({ url: NOWHERE, events })).body;
    const some = await eventsOf(['nope', 'payout.paid', 'payout.paid', 'payout', 'key.created']);
    assert.deepEqual(some.events, ['payout.paid', 'key.created']);
    assert.deepEqual((await eventsOf(['payout.paid', '*'])).events, ['*']);
    const odd = Array.from({ length: 999 }, (_, i) => `${'long'.repeat(50)}${i}`);
    assert.deepEqual((await eventsOf([...odd, 'payout.paid'])).events, ['payout.paid']);
    const tooMany = await app.create({ url: NOWHERE, events: [...odd, 'payout.paid', '*'] });
    assert.deepEqual(tooMany.body.data.params, { events: 'must not have more than 1000 items' });
  });

  for (const events of [[], ['nope'], ['']]) {
    test(`events ${JSON.stringify(events)}: svc_api_no_events`, async () => {
      const reply = await app.create({ url: NOWHERE, events });
      assert.equal(refusal(reply), '400 svc_api_no_events');
    });
  }

  test('a name has at most 100 characters and is empty by default', async () => {
    const named = (name: string) => app.create({ url: NOWHERE, events: ['*'], name });
    assert.equal((await named('n'.repeat(100))).status, 201);
    assert.equal(refusal(await named('n'.repeat(101))), '400 rest_invalid_param');
    assert.equal((await app.create({ url: NOWHERE, events: ['*'] })).body.name, '');
  });

  test('without url or events: 400', async () => {
    const reply = await app.create({});
    assert.equal(refusal(reply), '400 rest_missing_callback_param');
    assert.deepEqual(reply.body.data.params.toSorted(), ['events', 'url']);
  });

  test('at most as many as the setting allows', async () => {
    const few = await openWebhookApp({ settings: { 'webhooks.max': 2 } });
    const first = await few.webhook(NOWHERE);
    await few.webhook(NOWHERE);
    const third = await few.create({ url: NOWHERE, events: ['*'] });
    assert.equal(refusal(third), '409 svc_api_too_many_webhooks');
    await few.app.call(`/webhooks/${first.id}`, { method: 'DELETE', key: few.admin });
    assert.equal((await few.create({ url: NOWHERE, events: ['*'] })).status, 201);
  });

  test('the same Idempotency-Key creates one and returns the same response', async () => {
    const headers = { 'idempotency-key': 'once' };
    const json = { url: NOWHERE, events: ['*'] };
    const [first, again] = [
      await call('/webhooks', { method: 'POST', key: admin, json, headers }),
      await call('/webhooks', { method: 'POST', key: admin, json, headers }),
    ];
    assert.equal(first.text, again.text);
  });
});

test('GET /webhooks is paged, newest first', async () => {
  const first = await app.webhook(NOWHERE);
  const second = await app.webhook(NOWHERE);
  const page = await call('/webhooks?per_page=2', { key: admin });
  assert.deepEqual(
    page.body.map(({ id }: { id: number }) => id),
    [second.id, first.id],
  );
  const total = Number(page.headers.get('x-svc-total'));
  assert.ok(total >= 2);
  assert.equal(Number(page.headers.get('x-svc-totalpages')), Math.ceil(total / 2));
});

describe('PATCH /webhooks/{id}', () => {
  test('status and events', async () => {
    const { id } = await app.webhook(NOWHERE);
    const disabled = await app.change(id, { status: 'disabled' });
    assert.deepEqual([disabled.status, disabled.body.status], [200, 'disabled']);
    const other = await app.change(id, { events: ['nope', 'key.revoked'] });
    assert.deepEqual(other.body.events, ['key.revoked']);
    assert.equal(other.body.status, 'disabled');
  });

  test('neither: svc_api_no_fields, whatever else is sent', async () => {
    const { id } = await app.webhook(NOWHERE);
    for (const json of [{}, { url: 'https://other.invalid/' }, { name: 'x', secret: 'y' }]) {
      assert.equal(refusal(await app.change(id, json)), '400 svc_api_no_fields');
    }
    assert.equal((await app.get(id)).url, NOWHERE);
  });

  test('no event left, another status, another webhook', async () => {
    const { id } = await app.webhook(NOWHERE);
    assert.equal(refusal(await app.change(id, { events: ['nope'] })), '400 svc_api_no_events');
    assert.equal(refusal(await app.change(id, { status: 'deleted' })), '400 rest_invalid_param');
    assert.equal(refusal(await app.change(987_654, { status: 'active' })), '404 svc_api_not_found');
  });
});

test('DELETE /webhooks/{id} succeeds once; every route then returns 404', async () => {
  const { id } = await app.webhook(NOWHERE);
  const remove = () => call(`/webhooks/${id}`, { method: 'DELETE', key: admin });
  assert.deepEqual((await remove()).body, { deleted: true });
  assert.equal(refusal(await remove()), '404 svc_api_not_found');
  assert.equal(await app.get(id), undefined);
  assert.equal(refusal(await app.change(id, { status: 'active' })), '404 svc_api_not_found');
  const post = { method: 'POST', key: admin };
  assert.equal(refusal(await call(`/webhooks/${id}/test`, post)), '404 svc_api_not_found');
  const log = await call(`${STORE}/webhooks/${id}/deliveries`, { key: admin });
  assert.equal(refusal(log), '404 svc_api_not_found');
});

describe('POST /webhooks/{id}/test', () => {
  const ping = (id: number) => call(`/webhooks/${id}/test`, { method: 'POST', key: admin });

  test('sends a signed ping and returns the status of the receiver', async () => {
    const receiver = await new Receiver().listen();
    const { id, secret } = await app.webhook(receiver.url, ['payout.paid']);
    for (const code of [200, 204, 301, 404, 410, 500]) {
      receiver.answer = code;
      const reply = await ping(id);
      assert.deepEqual([reply.status, reply.body], [200, { code }]);
    }
    const { headers, body, message } = receiver.received[0]!;
    verify(secret, { body, headers });
    assert.match(String(headers['webhook-id']), /^ping_/);
    assert.equal(message.type, 'ping');
    assert.deepEqual(message.data, { webhook_id: id });
    const { failures, status, last_error, last_delivery } = await app.get(id);
    assert.deepEqual([failures, status, last_error, last_delivery], [0, 'active', '', null]);
  });

  test('no response: 502 with a message that reveals nothing internal', async () => {
    const receiver = await new Receiver().listen();
    const { id } = await app.webhook(receiver.url, ['payout.paid']);
    receiver.answer = (request) => request.socket.resetAndDestroy();
    const cut = await ping(id);
    assert.equal(refusal(cut), '502 svc_api_delivery_failed');
    assert.equal(cut.body.message, 'The receiver closed the connection without an answer.');
    receiver.close();
    assert.equal((await ping(id)).body.message, 'The receiver refused the connection.');
    assert.equal((await app.get(id)).failures, 0);
  });
});

describe('GET /webhooks/events', () => {
  test('lists every event of the feed with its description', async () => {
    const { body } = await call('/webhooks/events?per_page=100', { key: admin });
    const known = app.app.site.registry.events();
    assert.deepEqual(
      body,
      known.map(({ name, description }) => ({ event: name, description })),
    );
    const names = new Set(body.map(({ event }: { event: string }) => event));
    for (const name of [
      'referral.created',
      'payout.paid',
      'mla.parent_changed',
      'webhook.disabled',
    ]) {
      assert.ok(names.has(name), name);
    }
  });

  test('lists events of active add-ons only; others cannot be subscribed to', async () => {
    await app.app.set({ 'addons.disabled': ['payouts'] });
    const { text } = await call('/webhooks/events?per_page=100', { key: admin });
    assert.ok(!text.includes('payout.'));
    const reply = await app.create({ url: NOWHERE, events: ['payout.paid'] });
    assert.equal(refusal(reply), '400 svc_api_no_events');
    await app.app.set({ 'addons.disabled': [] });
  });

  test('is paged like every collection: twenty by default', async () => {
    const whole = await call('/webhooks/events?per_page=100', { key: admin });
    const total = whole.body.length;
    assert.deepEqual(pageHeadersOf(whole), [String(total), '1']);
    const first = await call('/webhooks/events', { key: admin });
    assert.deepEqual(first.body, whole.body.slice(0, 20));
    assert.deepEqual(pageHeadersOf(first), [String(total), String(Math.ceil(total / 20))]);
    const second = await call('/webhooks/events?page=2&per_page=10', { key: admin });
    assert.deepEqual(second.body, whole.body.slice(10, 20));
    assert.deepEqual(pageHeadersOf(second), [String(total), String(Math.ceil(total / 10))]);
    const past = await call('/webhooks/events?page=999', { key: admin });
    assert.deepEqual([past.body, ...pageHeadersOf(past)], [[], ...pageHeadersOf(first)]);
    const reply = await call('/webhooks/events?per_page=101', { key: admin });
    assert.equal(refusal(reply), '400 rest_invalid_param');
  });

  test('requires the read scope; like all webhook routes it is not open to managers', async () => {
    const read = await app.app.key('admin', 'read');
    assert.equal((await call('/webhooks/events', { key: read })).status, 200);
    const manager = await app.app.key('manager', 'read,write,manage');
    for (const path of ['/webhooks', '/webhooks/events']) {
      assert.equal(refusal(await call(path, { key: manager })), '403 svc_api_forbidden');
    }
  });
});

describe('the free edition, or the add-on switched off', () => {
  const paths = ['/webhooks', '/webhooks/events', `${STORE}/webhooks/1/deliveries`];

  test('has no such routes', async () => {
    const free = await openTestApp({ config: { edition: 'free' } });
    const key = await free.key('admin', 'read,write,manage');
    for (const path of paths) {
      assert.equal(refusal(await free.call(path, { key })), '404 rest_no_route');
    }
    assert.ok(!(await free.call('/openapi')).text.includes('webhook'));
  });

  test('has none while the add-on is inactive', async () => {
    await app.app.set({ 'addons.disabled': ['webhooks'] });
    for (const path of paths) {
      assert.equal(refusal(await call(path, { key: admin })), '404 rest_no_route');
    }
    await app.app.set({ 'addons.disabled': [] });
  });
});

describe('the delivery log', () => {
  test('shows what was sent, newest first, by state', async () => {
    const receiver = await new Receiver().listen();
    const { id } = await app.webhook(receiver.url, ['referral.created']);
    await app.emit(3);
    await app.sendDue();
    assert.equal((await app.deliveries(id, '&state=delivered')).length, 3);
    const log = await app.deliveries(id);
    assert.deepEqual(
      log.map((one: { event_id: number }) => one.event_id),
      receiver.ids.toSorted((a, b) => b - a),
    );
    const [newest] = log;
    assert.equal(newest.message_id, `evt_${newest.event_id}`);
    assert.deepEqual([newest.event, newest.code, newest.error], ['referral.created', 200, '']);
    assert.deepEqual([newest.attempts, newest.date_next], [1, null]);
    assert.deepEqual(await app.deliveries(id, '&state=failed'), []);
  });
});

describe('sending again', () => {
  test('one delivery, with the same id', async () => {
    const receiver = await new Receiver().listen();
    const { id } = await app.webhook(receiver.url, ['referral.created']);
    await app.emit();
    const { id: delivery } = await app.attempts(id, 1);
    const path = `${STORE}/webhooks/${id}/deliveries/${delivery}/redeliver`;
    const reply = await call(path, { method: 'POST', key: admin });
    assert.deepEqual([reply.status, reply.body.state], [200, 'pending']);
    await app.attempts(id, 2);
    const [first, second] = receiver.received;
    assert.equal(first!.headers['webhook-id'], second!.headers['webhook-id']);
    assert.equal(first!.body, second!.body);
  });

  test('refuses deliveries of another webhook and of a disabled one', async () => {
    const receiver = await new Receiver().listen();
    const { id } = await app.webhook(receiver.url, ['referral.created']);
    const other = await app.webhook(NOWHERE, ['payout.paid']);
    await app.emit();
    const { id: delivery } = await app.attempts(id, 1);
    const again = (webhook: number) =>
      call(`${STORE}/webhooks/${webhook}/deliveries/${delivery}/redeliver`, {
        method: 'POST',
        key: admin,
      });
    assert.equal(refusal(await again(other.id)), '404 svc_api_not_found');
    await app.change(id, { status: 'disabled' });
    assert.equal(refusal(await again(id)), '409 svc_api_webhook_disabled');
  });

  test('all events after a position, including those from before the webhook', async () => {
    await app.emit(3);
    const receiver = await new Receiver().listen();
    const { id } = await app.webhook(receiver.url, ['referral.created']);
    await app.emit(2);
    await app.emit(1, { other: true });
    await app.sendDue();
    const [first] = receiver.ids;
    const json = { after: first! - 3 };
    const reply = await call(`${STORE}/webhooks/${id}/replay`, {
      method: 'POST',
      key: admin,
      json,
    });
    assert.equal(reply.status, 200, reply.text);
    assert.equal(reply.body.until, first! + 2);
    await app.sendDue();
    assert.equal(receiver.ids.length, 6);
    const counts = Map.groupBy(receiver.received, ({ headers }) => headers['webhook-id']);
    assert.deepEqual([...counts].map(([name, all]) => [name, all.length]).sort(), [
      [`evt_${first! - 2}`, 1],
      [`evt_${first! - 1}`, 1],
      [`evt_${first}`, 2],
      [`evt_${first! + 1}`, 2],
    ]);
  });
});
