import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { mailModule } from '../../../src/modules/mail/module.ts';
import { LEASE_MS, sendMails } from '../../../src/modules/mail/send-mails.ts';
import { idOf, openTestApp, type TestApp } from '../../../test/support/harness.ts';
import { mailBody } from '../../../test/support/mail-body.ts';
import { MailReceiver } from '../../../test/support/mail-receiver.ts';
import { runSeries } from '../series/run-series.ts';

const STORE = '/svc/store/v1';
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

const textsOf = (subject: string) => ({
  en: { subject, text: 'Hello {{name}}, your code is {{coupon_code}}.' },
});
const steps = (...days: number[]) =>
  days.map((after_days) => ({ after_days, texts: textsOf(`Day ${after_days}`) }));

/** A store with a mail server; `call` is by an administrator. */
async function open() {
  const receiver = await new MailReceiver().listen();
  const app = await openTestApp({
    config: { smtpUrl: receiver.url(), mailFrom: 'program@store.example' },
    settings: { 'commission.percent': 10 },
  });
  const key = await app.key('admin', 'read,write,manage');
  const call = async (path: string, json?: unknown, method = json ? 'POST' : 'GET') => {
    const reply = await app.call(STORE + path, {
      key,
      method,
      ...(json !== undefined && { json }),
    });
    return { status: reply.status, body: reply.body };
  };
  /** Makes a series and switches it on. */
  const start = async (fields: object): Promise<number> => {
    const { body, status } = await call('/series', { name: 'Test', ...fields });
    assert.equal(status, 201, JSON.stringify(body));
    assert.equal((await call(`/series/${body.id}`, { active: true }, 'PATCH')).status, 200);
    return body.id;
  };
  const join = async (login: string): Promise<number> => {
    const json = { login, email: `${login}@test.example`, display_name: login };
    return (await call('/affiliates', json)).body.id;
  };
  let orders = 0;
  const order = async (code: string, total = 100, status = 'completed') => {
    orders += 1;
    const date = app.site.calendar.toLocal(app.site.clock());
    const json = { status, date, subtotal: total, total, coupon_codes: [code] };
    assert.equal((await call(`/orders/${orders}`, json, 'PUT')).status, 201);
  };
  const members = async (id: number) =>
    (await call(`/series/${id}/members`)).body.map((one: any) => [
      one.name,
      one.reason ?? one.state,
    ]);
  return { app, call, start, join, order, members, receiver };
}

const run = async (app: TestApp) => {
  await runSeries.run(app.site);
  await sendMails.run(app.site);
};

const days = async (app: TestApp, count: number) => {
  for (let day = 0; day < count; day++) {
    app.advance(DAY);
    await run(app);
  }
};

/** Who got what, in the order of arrival. */
const mailsIn = ({ received }: MailReceiver) =>
  received.map(({ envelopeTo: [to], parsed }) => `${to!.split('@')[0]} ${parsed.subject}`);

describe('a series', () => {
  test('for new affiliates sends each step once, in its time, and not to those from before', async () => {
    const { app, call, start, join, members, receiver } = await open();
    const id = await start({ starts_on: 'accepted', steps: steps(0, 3) });
    const ada = await join('ada');
    await call('/coupons', { user_id: ada, code: 'ADA1' });
    await run(app);
    await run(app);
    assert.deepEqual(mailsIn(receiver), ['ada Day 0']);
    assert.equal(mailBody(receiver.received[0]!.parsed.text), 'Hello ada, your code is ADA1.');
    assert.match(receiver.received[0]!.parsed.text!, /\/unsubscribe\//);
    assert.deepEqual(await members(id), [['ada', 'waiting']]);
    await days(app, 2);
    assert.equal(receiver.received.length, 1, 'not yet');
    await days(app, 5);
    assert.deepEqual(mailsIn(receiver), ['ada Day 0', 'ada Day 3']);
    assert.deepEqual(await members(id), [['ada', 'completed']]);
    const series = (await call(`/series/${id}`)).body;
    assert.deepEqual(series.figures, { waiting: 0, completed: 1, left: 0 });
    assert.deepEqual(
      series.steps.map((step: any) => step.figures.sent),
      [1, 1],
    );
    const receivers = await call(`/announcements/${series.steps[0].id}/receivers`);
    assert.deepEqual(
      receivers.body.map((one: any) => [one.name, one.state]),
      [['ada', 'sent']],
    );
    assert.deepEqual((await call('/announcements')).body, [], 'a step is not in their list');
    const { items } = (await call('/events?per_page=100')).body;
    const names = items
      .map((one: any) => one.event)
      .filter((name: string) => name.startsWith('series'));
    assert.deepEqual(names.toReversed(), ['series.activated', 'series.entered', 'series.left']);
  });

  test('after the first order is entered by the first only, and by no old one', async () => {
    const { app, call, start, order, members } = await open();
    await call('/coupons', { user_id: idOf('maya'), code: 'MAYA1' });
    await call('/coupons', { user_id: idOf('tomas'), code: 'TOMAS' });
    await order('MAYA1');
    app.advance(MINUTE);
    const id = await start({ starts_on: 'first_order', ends_on_order: true, steps: steps(1, 5) });
    app.advance(MINUTE);
    await order('MAYA1');
    await order('TOMAS');
    await run(app);
    assert.deepEqual(await members(id), [['tomas', 'waiting']]);
    app.advance(MINUTE);
    await order('TOMAS');
    await run(app);
    assert.deepEqual(await members(id), [['tomas', 'order']], 'the next order ends it');
  });

  test('after days without an order reads who has come to that point, and ends with an order', async () => {
    const { app, call, start, order, members, receiver } = await open();
    await call('/coupons', { user_id: idOf('maya'), code: 'MAYA1' });
    const fields = { starts_on: 'idle', idle_days: 10, ends_on_order: true, steps: steps(0, 30) };
    const id = await start(fields);
    await days(app, 5);
    await order('MAYA1');
    await days(app, 4);
    assert.deepEqual(await members(id), []);
    await days(app, 3);
    assert.deepEqual(await members(id), [['tomas', 'waiting']], 'since joining');
    await days(app, 4);
    assert.deepEqual(await members(id), [
      ['maya', 'waiting'],
      ['tomas', 'waiting'],
    ]);
    await order('MAYA1');
    await days(app, 60);
    assert.deepEqual(await members(id), [
      ['maya', 'order'],
      ['tomas', 'completed'],
    ]);
    assert.deepEqual(mailsIn(receiver), ['tomas Day 0', 'maya Day 0', 'tomas Day 30']);
  });

  test('after a step of a reward rule is entered by the order that reaches it', async () => {
    const { app, call, start, order, members } = await open();
    await call('/coupons', { user_id: idOf('maya'), code: 'MAYA1' });
    await call('/coupons', { user_id: idOf('tomas'), code: 'TOMAS' });
    const rate = {
      steps: {
        by: 'sales',
        counts: 'counted',
        window: { kind: 'always' },
        steps: [
          { from: 0, percent: 5 },
          { from: 500, percent: 8 },
        ],
      },
    };
    assert.equal((await call('/rewards/rules', { rate })).status, 201);
    await order('TOMAS', 600);
    app.advance(MINUTE);
    const id = await start({ starts_on: 'step_reached', steps: steps(0) });
    app.advance(MINUTE);
    await order('MAYA1', 300);
    await order('TOMAS', 100);
    await run(app);
    assert.deepEqual(await members(id), [], 'one is below it, the other was above it before');
    await order('MAYA1', 300);
    await run(app);
    assert.deepEqual(await members(id), [['maya', 'completed']]);
  });

  test('is left by a suspension, by the team and when a step is late, and entered once', async () => {
    const { app, call, start, join, members, receiver } = await open();
    const id = await start({ starts_on: 'accepted', steps: steps(1, 30) });
    const [ada, ben, cyd] = [await join('ada'), await join('ben'), await join('cyd')];
    await run(app);
    await call(`/affiliates/${ada}`, { status: 'suspended' }, 'PATCH');
    await run(app);
    assert.equal((await call(`/series/${id}/members/${ben}`, undefined, 'DELETE')).status, 200);
    assert.equal((await call(`/series/${id}/members/${ben}`, undefined, 'DELETE')).status, 404);
    await days(app, 1);
    assert.deepEqual(mailsIn(receiver), ['cyd Day 1']);
    await call(`/series/${id}`, { active: false }, 'PATCH');
    app.advance(40 * DAY);
    await run(app);
    await call(`/series/${id}`, { active: true }, 'PATCH');
    await run(app);
    assert.deepEqual((await members(id)).toSorted(), [
      ['ada', 'suspended'],
      ['ben', 'team'],
      ['cyd', 'late'],
    ]);
    assert.equal(receiver.received.length, 1);
    assert.deepEqual((await call(`/series/${id}`)).body.figures, {
      waiting: 0,
      completed: 0,
      left: 3,
    });
    const preview = (await call(`/series/${id}/preview/${cyd}`)).body;
    assert.equal(preview.state, 'left');
    assert.deepEqual(
      preview.steps.map((step: any) => step.state),
      ['sent', null],
    );
  });

  test('whose steps are changed goes on with them, and sends none of them twice', async () => {
    const { app, call, start, join, members, receiver } = await open();
    const id = await start({ starts_on: 'accepted', steps: steps(0, 10) });
    await join('ada');
    await run(app);
    const [first, second] = (await call(`/series/${id}`)).body.steps;
    const moved = { ...first, figures: undefined, after_days: 4 };
    const json = { steps: [...steps(2), moved, { ...steps(6)[0], id: second.id }] };
    const changed = await call(`/series/${id}`, json, 'PATCH');
    assert.equal(changed.status, 200, JSON.stringify(changed.body));
    await days(app, 20);
    assert.deepEqual(mailsIn(receiver), ['ada Day 0', 'ada Day 2', 'ada Day 6']);
    assert.deepEqual(await members(id), [['ada', 'completed']]);
  });

  test('is refused with days that do not rise, an unknown step or placeholder; not deleted while on', async () => {
    const { call, start } = await open();
    const create = (fields: object) =>
      call('/series', { name: 'Test', starts_on: 'accepted', ...fields });
    assert.equal((await create({ steps: steps(3, 3) })).status, 400);
    const wrong = [{ after_days: 0, texts: { en: { subject: 'A', text: '{{iban}}' } } }];
    assert.equal((await create({ steps: wrong })).status, 400);
    const empty = (await create({})).body.id;
    assert.equal((await call(`/series/${empty}`, { active: true }, 'PATCH')).status, 409);
    const id = await start({ starts_on: 'accepted', steps: steps(0) });
    const foreign = { steps: [{ ...steps(0)[0], id: 12_345 }] };
    assert.equal((await call(`/series/${empty}`, foreign, 'PATCH')).status, 404);
    assert.equal((await call(`/series/${id}`, undefined, 'DELETE')).status, 409);
    await call(`/series/${id}`, { active: false }, 'PATCH');
    assert.equal((await call(`/series/${id}`, undefined, 'DELETE')).status, 200);
    assert.equal((await call(`/series/${id}`)).status, 404);
  });

  test('three are added when they are wanted, off, with texts in every language and a preview for an affiliate', async () => {
    const { app, call, receiver } = await open();
    await call('/coupons', { user_id: idOf('maya'), code: 'MAYA1' });
    await run(app);
    assert.deepEqual((await call('/series')).body, []);
    const added = await call('/series/ready', undefined, 'POST');
    assert.equal(added.status, 201, JSON.stringify(added.body));
    const list = (await call('/series')).body;
    assert.deepEqual(
      added.body.added,
      list.map((one: any) => one.id),
    );
    assert.deepEqual(
      list.map((one: any) => [one.name, one.starts_on, one.idle_days, one.active]),
      [
        ['Welcome', 'accepted', null, false],
        ['First order', 'first_order', null, false],
        ['No orders for a while', 'idle', 60, false],
      ],
    );
    for (const { steps: some } of list) {
      for (const step of some) {
        assert.deepEqual(Object.keys(step.texts).toSorted(), ['de', 'en', 'es', 'fr', 'pt']);
      }
    }
    const preview = (await call(`/series/${list[0].id}/preview/${idOf('maya')}`)).body;
    assert.deepEqual([preview.name, preview.state, preview.steps.length], ['maya', null, 3]);
    assert.match(preview.steps[0].text, /^Hello maya,[^]*\/r\/MAYA1[^]*\/app$/);
    assert.equal(receiver.received.length, 0);
    assert.equal((await call(`/series/${list[0].id}`, undefined, 'DELETE')).status, 200);
    await run(app);
    assert.equal((await call('/series')).body.length, 2, 'it does not return');
    const again = await call('/series/ready', undefined, 'POST');
    assert.equal(again.body.added.length, 1, 'only what is missing');
    assert.equal((await call('/series')).body.at(-1).name, 'Welcome');
    assert.deepEqual((await call('/series/ready', undefined, 'POST')).body.added, []);
  });

  test('sends each step once, wherever the process is killed', async () => {
    const { app, call, start, join, receiver } = await open();
    const id = await start({ starts_on: 'accepted', steps: steps(0, 1) });
    const logins = Array.from({ length: 12 }, (_, i) => `friend${i}`);
    for (const login of logins) await join(login);
    const { database } = app.site;
    for (let round = 0; round < 40; round++) {
      // The process is killed after some of its transactions.
      let left = round % 4 === 3 ? Infinity : round % 4;
      const transaction: typeof database.transaction = (make) => {
        left -= 1;
        if (left >= 0) return database.transaction(make);
        return Promise.reject(new Error('killed'));
      };
      const site = { ...app.site, database: { ...database, transaction } };
      for (const job of [runSeries, sendMails]) await job.run(site).catch(ignoreKill);
      mailModule.close!(site);
      app.advance(LEASE_MS + 60 * MINUTE);
    }
    const { steps: sent, figures } = (await call(`/series/${id}`)).body;
    assert.deepEqual(figures, { waiting: 0, completed: 12, left: 0 });
    const got = mailsIn(receiver);
    assert.equal(new Set(got).size, got.length, 'at most one mail each');
    for (const { figures: of } of sent) {
      assert.deepEqual([of.receivers, of.sent + of.unknown], [12, 12]);
    }
  });

  test('is left by a person whose data is erased, without a trace of the address', async () => {
    const { app, call, start, join, members } = await open();
    const id = await start({ starts_on: 'accepted', steps: steps(1) });
    const ada = await join('ada');
    await run(app);
    const erased = await call(`/affiliates/${ada}/anonymise`, { login: 'ada' });
    assert.equal(erased.status, 200, JSON.stringify(erased.body));
    assert.equal((await members(id))[0][1], 'erased');
  });
});

function ignoreKill(error: Error): void {
  assert.equal(error.message, 'killed');
}
