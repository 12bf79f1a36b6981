import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { query } from '../../../src/db/statements/query.ts';
import { mailModule } from '../../../src/modules/mail/module.ts';
import { LEASE_MS, sendMails } from '../../../src/modules/mail/send-mails.ts';
import { openTestApp, idOf, type TestApp } from '../../../test/support/harness.ts';
import { mailBody } from '../../../test/support/mail-body.ts';
import { MailReceiver, smtpRefusal } from '../../../test/support/mail-receiver.ts';
import { sendAnnouncements } from '../announcements/send-announcements.ts';

const STORE = '/svc/store/v1';
const MINUTE = 60_000;
const HELLO = {
  subject: 'News for {{name}}',
  text: 'Hello {{name}},\n\nyour code is {{coupon_code}}.',
};

interface Called {
  status: number;
  body: any;
  total: number;
}

/** A store with a mail server; `call` is by an administrator. */
async function open(receiver?: MailReceiver) {
  const app = await openTestApp(
    receiver && { config: { smtpUrl: receiver.url(), mailFrom: 'program@store.example' } },
  );
  const key = await app.key('admin', 'read,write,manage');
  const call = async (
    path: string,
    json?: unknown,
    method = json ? 'POST' : 'GET',
  ): Promise<Called> => {
    const reply = await app.call(STORE + path, {
      key,
      method,
      ...(json !== undefined && { json }),
    });
    const total = Number(reply.headers.get('x-svc-total'));
    return { status: reply.status, body: reply.body, total };
  };
  const draft = async (more = {}) =>
    (await call('/announcements', { texts: { en: HELLO }, ...more })).body.id as number;
  const get = async (id: number) => (await call(`/announcements/${id}`)).body;
  const send = (id: number, json = {}) => call(`/announcements/${id}/send`, json);
  return { app, call, draft, get, send, key };
}

const run = async (app: TestApp) => {
  await sendAnnouncements.run(app.site);
  await sendMails.run(app.site);
  await sendAnnouncements.run(app.site);
};

const addresses = (receiver: MailReceiver) =>
  receiver.received.map(({ envelopeTo: [to] }) => to!).toSorted();

async function addAffiliates(app: TestApp, count: number, key: string): Promise<string[]> {
  const logins = Array.from({ length: count }, (_, i) => `friend${i}`);
  for (const login of logins) {
    const json = { login, email: `${login}@test.example`, display_name: `Friend ${login}` };
    const reply = await app.call(`${STORE}/affiliates`, { method: 'POST', key, json });
    assert.equal(reply.status, 201, reply.text);
  }
  return logins.map((login) => `${login}@test.example`);
}

describe('an announcement', () => {
  test('goes to the affiliates of its segment, by mail and in the portal', async () => {
    const receiver = await new MailReceiver().listen();
    const { app, call, draft, get, send } = await open(receiver);
    await call('/coupons', { user_id: idOf('maya'), code: 'MAYA10' });
    const id = await draft();
    const names = await call(`/announcements/${id}/receivers`);
    assert.deepEqual(
      names.body.map((one: { name: string; state: null }) => [one.name, one.state]),
      [
        ['maya', null],
        ['tomas', null],
      ],
    );
    assert.equal(names.total, 2);
    assert.equal((await send(id, { receivers: 3 })).status, 409);
    assert.equal((await get(id)).state, 'draft');
    assert.equal((await send(id, { receivers: 2 })).body.state, 'sending');
    await run(app);
    assert.deepEqual(addresses(receiver), ['maya@test.example', 'tomas@test.example']);
    const toMaya = receiver.received.find(({ envelopeTo: [to] }) => to === 'maya@test.example')!;
    assert.equal(toMaya.parsed.subject, 'News for maya');
    assert.equal(mailBody(toMaya.parsed.text), 'Hello maya,\n\nyour code is MAYA10.');
    const after = await get(id);
    assert.equal(after.state, 'sent');
    assert.deepEqual(after.figures, {
      receivers: 2,
      waiting: 0,
      sent: 2,
      failed: 0,
      unknown: 0,
      muted: 0,
      unsubscribed: 0,
    });
    const own = await app.call(`${STORE}/affiliates/${idOf('maya')}/announcements`, {
      key: await app.key('maya', 'read'),
    });
    assert.deepEqual(
      own.body.map((one: { subject: string; text: string }) => [one.subject, one.text]),
      [['News for maya', 'Hello maya,\n\nyour code is MAYA10.']],
    );
    const ofMaya = `${STORE}/affiliates/${idOf('maya')}/announcements`;
    const mayaKey = await app.key('maya', 'read,write');
    const unread = async () =>
      Number(
        (await app.call(`${ofMaya}?unread=true`, { key: mayaKey })).headers.get('x-svc-total'),
      );
    assert.equal(await unread(), 1);
    const read = (key: string) =>
      app.call(`${ofMaya}/read`, { method: 'POST', key, json: { announcement_id: id } });
    assert.equal((await read(await app.key('admin', 'write'))).status, 404);
    assert.equal(await unread(), 1);
    assert.deepEqual((await read(mayaKey)).body, { unread: 0 });
    assert.equal(await unread(), 0);
    const others = await app.call(`${STORE}/affiliates/${idOf('tomas')}/announcements`, {
      key: await app.key('maya', 'read'),
    });
    assert.equal(others.status, 404);
  });

  test('is tested by a mail to oneself, which is not counted', async () => {
    const receiver = await new MailReceiver().listen();
    const { app, call, draft, get } = await open(receiver);
    const id = await draft();
    const tested = await call(`/announcements/${id}/test`, {});
    assert.deepEqual([tested.status, tested.body.to], [202, 'admin@test.example']);
    await run(app);
    assert.deepEqual(addresses(receiver), ['admin@test.example']);
    assert.equal(receiver.received[0]!.parsed.subject, '[Test] News for admin');
    const { state, figures } = await get(id);
    assert.deepEqual([state, figures.receivers], ['draft', 0]);
  });

  test('reaches each person in their language, else in that of the store', async () => {
    const receiver = await new MailReceiver().listen();
    const { app, draft, send } = await open(receiver);
    const language = query<{ id: number }>((db, p) =>
      db.updateTable('users').set({ language: 'de' }).where('id', '=', p.id),
    );
    await app.site.database.transaction((tx) => tx.run(language, { id: idOf('tomas') }));
    const de = { subject: 'Neues', text: 'Hallo {{name}}' };
    await send(await draft({ texts: { en: HELLO, de }, channels: ['mail'] }));
    await run(app);
    assert.deepEqual(receiver.received.map(({ parsed }) => parsed.subject).toSorted(), [
      'Neues',
      'News for maya',
    ]);
  });

  test('is refused with an unknown placeholder, and cannot be changed once it is sent', async () => {
    const { call, draft, send } = await open();
    const wrong = await call('/announcements', {
      texts: { en: { subject: 'A', text: '{{iban}}' } },
    });
    assert.equal(wrong.status, 400);
    assert.equal((await call('/announcements', { texts: {} })).status, 400);
    const id = await draft();
    const changed = await call(`/announcements/${id}`, { channels: ['portal'] }, 'PATCH');
    assert.deepEqual(changed.body.channels, ['portal']);
    await send(id);
    for (const [path, json, method] of [
      [`/announcements/${id}`, { channels: ['mail'] }, 'PATCH'],
      [`/announcements/${id}/send`, {}, 'POST'],
      [`/announcements/${id}`, undefined, 'DELETE'],
      [`/announcements/${id}/resume`, {}, 'POST'],
    ] as const) {
      assert.equal((await call(path, json, method)).status, 409, `${method} ${path}`);
    }
    assert.equal((await call(`/announcements/${await draft()}`, undefined, 'DELETE')).status, 200);
  });

  test('waits for its time, and can be cancelled before', async () => {
    const receiver = await new MailReceiver().listen();
    const { app, draft, get, send, call } = await open(receiver);
    const at = app.site.calendar.toLocal(app.site.clock() + 60 * MINUTE);
    const [first, second] = [await draft({ send_at: at }), await draft({ send_at: at })];
    assert.equal((await send(first)).body.state, 'scheduled');
    await send(second);
    assert.equal((await call(`/announcements/${second}/cancel`, {})).body.state, 'cancelled');
    await run(app);
    assert.equal(receiver.received.length, 0);
    app.advance(61 * MINUTE);
    await run(app);
    assert.equal(receiver.received.length, 2);
    assert.deepEqual([(await get(first)).state, (await get(second)).state], ['sent', 'cancelled']);
  });

  test('leaves out who unsubscribed, and counts who unsubscribes', async () => {
    const receiver = await new MailReceiver().listen();
    const { app, draft, get, send, call } = await open(receiver);
    const first = await draft();
    await send(first);
    await run(app);
    const toMaya = receiver.received.find(({ envelopeTo: [to] }) => to === 'maya@test.example')!;
    const url = /\/unsubscribe\/[\w.-]+/.exec(toMaya.parsed.text!)![0];
    for (let twice = 0; twice < 2; twice++) {
      const form = 'List-Unsubscribe=One-Click';
      assert.equal((await app.call(`~${url}`, { method: 'POST', form })).status, 200);
    }
    assert.equal((await get(first)).figures.unsubscribed, 1);
    const second = await draft();
    const [maya] = (await call(`/announcements/${second}/receivers`)).body;
    assert.deepEqual([maya.name, maya.state], ['maya', 'muted']);
    await send(second);
    await run(app);
    assert.equal(receiver.received.length, 3);
    const { figures, state } = await get(second);
    assert.deepEqual([state, figures.sent, figures.muted], ['sent', 1, 1]);
    const news = await call(`/affiliates/${idOf('maya')}/announcements`);
    assert.equal(news.total, 2, 'the portal shows both');
  });
});

test('a segment has the affiliates that meet all of its conditions', async () => {
  const { app, call, draft, key } = await open();
  await addAffiliates(app, 3, key);
  const ids = (await call('/affiliates?sort=name')).body.map((one: any) => one.id) as number[];
  const [first, second, third] = ids as [number, number, number];
  await call('/groups', { name: 'Gold' });
  await call(`/affiliates/${first}`, { groups: ['Gold'] }, 'PATCH');
  await call(`/affiliates/${second}`, { groups: ['Gold'], status: 'suspended' }, 'PATCH');
  await call(`/affiliates/${third}/tags`, { tags: ['VIP'] }, 'PUT');
  await call('/coupons', { user_id: first, code: 'FIRST' });
  const day = app.site.calendar.dayOf(app.site.clock());
  const order = { status: 'completed', date: day, total: 100, coupon_codes: ['FIRST'] };
  assert.equal((await call('/orders/1', order, 'PUT')).status, 201);
  const membersOf = async (segment: object) => {
    const { body, total } = await call(`/announcements/${await draft({ segment })}/receivers`);
    assert.equal(body.length, total);
    return body.map((one: { user_id: number }) => one.user_id).toSorted();
  };
  const active = ids.filter((id) => id !== second).toSorted();
  assert.deepEqual(await membersOf({}), active);
  assert.deepEqual(await membersOf({ groups: ['gold'] }), [first]);
  assert.deepEqual(await membersOf({ groups: ['Gold'], status: 'suspended' }), [second]);
  assert.deepEqual(await membersOf({ tags: ['vip', 'other'] }), [third]);
  assert.deepEqual(await membersOf({ groups: ['Gold'], tags: ['vip'] }), []);
  assert.deepEqual(await membersOf({ earned_from: day }), [first]);
  assert.deepEqual(await membersOf({ earned_from: '2199-01-01' }), []);
  assert.deepEqual(await membersOf({ joined_from: day }), active);
  assert.deepEqual(await membersOf({ joined_from: '2199-01-01' }), []);
  assert.deepEqual(await membersOf({ no_clicks: true }), active);
});

describe('sending an announcement', () => {
  test('pauses, resumes and cancels, and no person gets two mails', async () => {
    const receiver = await new MailReceiver().listen();
    const { app, draft, get, send, call, key } = await open(receiver);
    const all = [
      ...(await addAffiliates(app, 118, key)),
      'maya@test.example',
      'tomas@test.example',
    ];
    await app.set({ 'mail.per_minute': 600 });
    const id = await draft();
    await send(id);
    for (let second = 0; second < 3; second++) {
      app.advance(1_000);
      await run(app);
    }
    const before = receiver.received.length;
    assert.ok(before > 0 && before < all.length);
    assert.equal((await call(`/announcements/${id}/pause`, {})).body.state, 'paused');
    for (let minute = 0; minute < 5; minute++) {
      app.advance(MINUTE);
      await run(app);
    }
    assert.equal(receiver.received.length, before);
    await call(`/announcements/${id}/resume`, {});
    for (let second = 0; second < 30; second++) {
      app.advance(1_000);
      await run(app);
    }
    assert.deepEqual(addresses(receiver), all.toSorted());
    assert.deepEqual([(await get(id)).state, (await get(id)).figures.sent], ['sent', all.length]);

    const other = await draft();
    await send(other);
    app.advance(1_000);
    await run(app);
    const sent = receiver.received.length - all.length;
    const cancelled = (await call(`/announcements/${other}/cancel`, {})).body;
    assert.deepEqual([cancelled.state, cancelled.figures.waiting], ['cancelled', 0]);
    for (let minute = 0; minute < 5; minute++) {
      app.advance(MINUTE);
      await run(app);
    }
    assert.equal(receiver.received.length - all.length, sent);
    assert.equal((await call(`/announcements/${other}/receivers?state=sent`)).total, sent);
  });

  test('names each receiver as sent, failed or unknown, whatever the server and the process do', async () => {
    let offered = 0;
    const receiver = await new MailReceiver({
      onRcptTo({ address }, _session, done) {
        offered += 1;
        if (address.startsWith('friend7@')) return done(smtpRefusal(550, 'No such user'));
        done(offered % 9 === 0 ? smtpRefusal(451, 'Later') : undefined);
      },
    }).listen();
    const { app, draft, get, send, call, key } = await open(receiver);
    const all = [...(await addAffiliates(app, 58, key)), 'maya@test.example', 'tomas@test.example'];
    const id = await draft();
    await send(id);
    const { database } = app.site;
    for (let round = 0; (await get(id)).state === 'sending'; round++) {
      assert.ok(round < 500, 'it ends');
      receiver.dies = round % 7 === 3;
      // Every fifth round the process is killed after some of its transactions.
      let left = round % 5 === 2 ? 1 + (round % 4) : Infinity;
      const transaction: typeof database.transaction = (make) => {
        left -= 1;
        if (left >= 0) return database.transaction(make);
        mailModule.close!(site);
        return Promise.reject(new Error('killed'));
      };
      const site = { ...app.site, database: { ...database, transaction } };
      await sendAnnouncements.run(site).catch(ignoreKill);
      await sendMails.run(site).catch(ignoreKill);
      mailModule.close!(site);
      app.advance(LEASE_MS + MINUTE);
    }
    const list = (await call(`/announcements/${id}/receivers?per_page=100`)).body;
    const inState = (state: string) =>
      list.filter((one: any) => one.state === state).map((one: any) => one.email);
    const got = addresses(receiver);
    assert.equal(new Set(got).size, got.length, 'at most one mail each');
    assert.deepEqual(list.map((one: any) => one.email).toSorted(), all.toSorted());
    const [sent, failed, unknown] = [inState('sent'), inState('failed'), inState('unknown')];
    assert.equal(sent.length + failed.length + unknown.length, all.length);
    assert.ok(
      sent.every((email: string) => got.includes(email)),
      'what is sent has arrived',
    );
    assert.ok(
      got.every((email) => !failed.includes(email)),
      'what failed has not',
    );
    assert.ok(failed.includes('friend7@test.example') && sent.length > 20 && unknown.length > 0);
    const { figures } = await get(id);
    assert.deepEqual(
      [figures.sent, figures.failed, figures.unknown, figures.waiting],
      [sent.length, failed.length, unknown.length, 0],
    );
    const [refused] = (await call(`/announcements/${id}/receivers?state=failed`)).body;
    assert.match(refused.error, /550 No such user/);
  });
});

function ignoreKill(error: Error): void {
  assert.equal(error.message, 'killed');
}
