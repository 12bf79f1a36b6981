import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { eventually } from '../../../test/support/eventually.ts';
import { idOf, refusal } from '../../../test/support/harness.ts';
import { outbox } from '../../../test/support/outbox.ts';
import { hang, Receiver, type Received } from '../../../test/support/receiver.ts';
import { verify } from '../../../test/support/verify-signature.ts';
import { deliverPostbacks } from '../delivery/deliver-postbacks.ts';
import { fanOut } from '../delivery/fan-out.ts';
import { openPostbackApp, STORE } from './postback-app.ts';

const DAY_MS = 24 * 60 * 60_000;
const app = await openPostbackApp();

const query = ({ path }: Received) => Object.fromEntries(new URL(path, 'http://x').searchParams);
const MACROS = '?s={status}&o={order}&a={amount}&c={commission}{currency}&k={code}&i={id}';

test('sends each change of an order, in sequence and with one id', async () => {
  const receiver = await new Receiver().listen();
  const { id } = await app.postback({ url: receiver.url + MACROS });
  await app.order(1);
  await app.sendDue();
  await app.order(1, { status: 'completed' });
  await app.order(1, { status: 'completed', subtotal: 80, total: 80 });
  await app.order(1, { status: 'cancelled' });
  await app.sendUntil(() => assert.equal(receiver.received.length, 4));
  const sent = receiver.received.map(query);
  assert.deepEqual(
    sent.map(({ s, a, c }) => [s, a, c]),
    [
      ['created', '100.00', '10.00USD'],
      ['granted', '100.00', '10.00USD'],
      ['changed', '80.00', '8.00USD'],
      ['reversed', sent[3]!['a'], '0.00USD'],
    ],
  );
  assert.equal(new Set(sent.map(({ i, o, k }) => `${i} ${o} ${k}`)).size, 1);
  const log = await app.deliveries(id);
  assert.deepEqual(
    log.map((one: { event: string; state: string }) => `${one.event} ${one.state}`),
    ['created delivered', 'granted delivered', 'changed delivered', 'reversed delivered'],
  );
  await app.remove(id);
});

test('an order that is payable at once is created, then granted', async () => {
  const receiver = await new Receiver().listen();
  const { id } = await app.postback({ url: receiver.url + MACROS });
  await app.order(2, { status: 'completed' });
  await app.sendUntil(() => assert.equal(receiver.received.length, 2));
  assert.deepEqual(
    receiver.received.map((one) => query(one)['s']),
    ['created', 'granted'],
  );
  await app.remove(id);
});

test('sends signed JSON', async () => {
  const receiver = await new Receiver().listen();
  const { id, secret } = await app.postback({ url: receiver.url, format: 'json' });
  const visit = { code: 'MAYA10', visitor: 'v-1', sub1: 'blog', sub5: 'top' };
  const clicks = '/svc/store/v1/clicks';
  await app.app.call(clicks, { method: 'POST', key: app.admin, json: visit });
  const { calendar, clock } = app.app.site;
  const date = calendar.toLocal(clock());
  await app.order(3, { coupon_codes: [], visitor: 'v-1', date });
  await app.sendUntil(() => assert.equal(receiver.received.length, 1));
  const [received] = receiver.received;
  verify(secret, received!);
  assert.equal(received!.method, 'POST');
  const { type, data } = received!.message;
  assert.equal(type, 'order.created');
  assert.partialDeepStrictEqual(data, {
    status: 'created',
    order: 3,
    amount: 100,
    code: 'MAYA10',
    sub1: 'blog',
    sub2: '',
    sub5: 'top',
  });
  assert.equal(typeof data['click'], 'number');
  await app.remove(id);
});

test('an order waits for its earlier change, other orders go on', async () => {
  const receiver = await new Receiver().listen();
  const { id } = await app.postback({ url: receiver.url + MACROS });
  receiver.answer = (_request, response, received) =>
    response.writeHead(query(received)['o'] === '4' ? 500 : 200).end();
  await app.order(4);
  await app.sendUntil(() => assert.equal(receiver.received.length, 1));
  await app.order(4, { status: 'completed' });
  await app.order(5);
  await app.order(5, { status: 'completed' });
  await app.sendUntil(async () => {
    const ofFive = receiver.received.map(query).filter(({ o }) => o === '5');
    assert.deepEqual(
      ofFive.map(({ s }) => s),
      ['created', 'granted'],
    );
  });
  const ofFour = () => receiver.received.map(query).filter(({ o }) => o === '4');
  assert.ok(ofFour().every(({ s }) => s === 'created'));
  receiver.answer = 200;
  app.app.advance(10 * 60_000);
  await app.sendUntil(() => assert.equal(ofFour().at(-1)!['s'], 'granted'));
  await app.remove(id);
});

test('a day of failures switches it off with a mail, a replay sends what was missed', async () => {
  const receiver = await new Receiver().listen();
  const { id } = await app.postback({ url: receiver.url + MACROS });
  receiver.answer = 503;
  await app.order(6);
  const from = app.app.site.calendar.dayOf(app.app.site.clock());
  for (let hours = 0; hours < 60; hours += 3) {
    await app.sendDue();
    app.app.advance(3 * 60 * 60_000);
  }
  const off = await app.get(id);
  assert.equal(off.active, false);
  assert.notEqual(off.failing_since, null);
  assert.equal(off.last_error, 'The receiver answered 503.');
  const mails = (await outbox(app.app.site)).filter((m) => m.template === 'postback-disabled');
  assert.deepEqual(
    mails.map((mail) => mail.to_address),
    ['maya@test.example'],
  );
  assert.ok(!mails[0]!.text.includes('/hook'), 'paths may hold secrets');

  await app.order(6, { status: 'completed' });
  await app.order(7);
  assert.equal(refusal(await app.replay(id, from)), '409 svc_api_postback_off');
  receiver.answer = 200;
  receiver.received.length = 0;
  assert.equal((await app.change(id, { active: true })).body.failing_since, null);
  assert.equal((await app.replay(id, from)).body.replaying, true);
  await app.sendUntil(async () => {
    const sent = receiver.received.map(query).map(({ o, s }) => `${o} ${s}`);
    // What was pending comes first, then all of the replay in order.
    assert.deepEqual(
      sent.filter((one) => one.startsWith('6')),
      ['6 created', '6 created', '6 granted'],
    );
    assert.deepEqual(
      sent.filter((one) => one.startsWith('7')),
      ['7 created'],
    );
    assert.equal((await app.get(id)).replaying, false);
  });
  const old = app.app.site.calendar.dayOf(app.app.site.clock() - 32 * DAY_MS);
  assert.equal(refusal(await app.replay(id, old)), '400 rest_invalid_param');
  await app.remove(id);
});

describe('a receiver in chaos', () => {
  test('gets everything at least once and each order in sequence', async () => {
    const receiver = await new Receiver().listen();
    const { id } = await app.postback({ url: receiver.url + MACROS });
    const taken: string[] = [];
    let requests = 0;
    receiver.answer = (request, response, received) => {
      const { o, s } = query(received);
      requests += 1;
      const kind = requests % 7;
      if (kind === 1) return response.writeHead(500).end();
      if (kind === 3) return request.socket.destroy();
      if (kind === 5) return response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end();
      taken.push(`${o} ${s}`);
      return response.writeHead(204).end();
    };
    const ids = Array.from({ length: 12 }, (_, i) => 100 + i);
    for (const order of ids) await app.order(order);
    await app.sendDue();
    for (const order of ids) await app.order(order, { status: 'completed' });
    for (const order of ids) await app.order(order, { status: 'cancelled' });
    await app.sendUntil(() => {
      app.app.advance(6 * 60_000);
      assert.equal(new Set(taken).size, 36);
    });
    for (const order of ids) {
      const own = taken
        .filter((one) => one.startsWith(`${order} `))
        .map((one) => one.split(' ')[1]);
      assert.deepEqual([...new Set(own)], ['created', 'granted', 'reversed']);
      assert.deepEqual(own.toSorted(), own, 'in sequence');
    }
    await app.remove(id);
  });

  test('that hangs delays no other postback', async () => {
    const [slow, quick] = [await new Receiver().listen(), await new Receiver().listen()];
    slow.answer = hang;
    const hanging = await app.postback({ url: slow.url + MACROS });
    const working = await app.postback({ url: quick.url + MACROS });
    await app.order(200);
    await app.order(201);
    await eventually(async () => {
      await deliverPostbacks.run(app.app.site);
      assert.equal(quick.received.length, 2);
    });
    assert.equal(slow.received.length, 1);
    slow.close();
    for (const { id } of [hanging, working]) await app.remove(id);
  });
});

test('two instances that fan out at the same time add each change once', async () => {
  const receiver = await new Receiver().listen();
  const { id } = await app.postback({ url: receiver.url + MACROS });
  const { site } = app.app;
  for (let order = 300; order < 310; order++) await app.order(order);
  await Promise.all([fanOut(site), fanOut(site), fanOut(site)]);
  const orders = (await app.deliveries(id)).map((one: { order_id: number }) => one.order_id);
  assert.deepEqual(
    orders,
    Array.from({ length: 10 }, (_, i) => 300 + i),
  );
  await app.remove(id);
});

test('without an active postback no event is read, and the next one begins with what is new', async () => {
  await app.order(400);
  assert.equal(await fanOut(app.app.site), false);
  const receiver = await new Receiver().listen();
  const { id } = await app.postback({ url: receiver.url + MACROS, events: ['created'] });
  await app.order(401, { status: 'completed' });
  await app.sendUntil(() => assert.equal(receiver.received.length, 1));
  assert.equal(query(receiver.received[0]!)['o'], '401');
  assert.equal((await app.deliveries(id)).length, 1);
});

test('the last order of an affiliate is one of its own, on former coupons too', async () => {
  const { app: own, admin } = await openPostbackApp();
  const call = async (method: string, path: string, json: object) => {
    const reply = await own.call(`${STORE}${path}`, { method, key: admin, json });
    assert.ok(reply.status < 300, reply.text);
    return reply.body;
  };
  const [maya, tomas] = [idOf('maya'), idOf('tomas')];
  const preview = async (user: number) => {
    const given = { url: 'https://tracker.invalid/p', method: 'GET', format: 'macros' };
    return (await call('POST', `/affiliates/${user}/postbacks/preview`, given)).order_id;
  };
  const { id } = await call('POST', '/coupons', { code: 'SHARED', user_id: maya });
  const date = own.site.calendar.toLocal(own.site.clock());
  const order = { order_id: 1, date, status: 'completed', total: 100, coupon_codes: ['SHARED'] };
  await call('POST', '/orders/batch', { orders: [order] });
  own.advance(60_000);
  await call('PATCH', `/coupons/${id}`, { user_id: tomas, move_balance: false });
  assert.deepEqual([await preview(maya), await preview(tomas)], [1, null]);
});

test('a secret that was copied to another postback signs none of its requests', async () => {
  const own = await openPostbackApp();
  const given = { url: 'https://receiver.invalid/postback', format: 'json' };
  const [one, two] = [await own.postback(given), await own.postback(given)];
  const preview = (id: number) =>
    own.app.call(`${own.path}/${id}/preview`, { method: 'POST', key: own.maya, json: {} });
  assert.equal((await preview(two.id)).status, 200);
  await own.app.site.database.transaction((tx) =>
    tx.execute(
      `update postbacks set secret = (select secret from postbacks where id = ${one.id}) where id = ${two.id}`,
    ),
  );
  assert.equal((await preview(one.id)).status, 200);
  assert.equal(refusal(await preview(two.id)), '500 svc_api_server_error');
});
