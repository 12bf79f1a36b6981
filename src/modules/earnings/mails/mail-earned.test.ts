import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { idOf, openTestApp } from '../../../../test/support/harness.ts';
import { outbox } from '../../../../test/support/outbox.ts';
import { HOUR_MS, DAY_MS } from '../../../shared/durations.ts';
import { releaseHeld } from '../../orders/resettle/release-held.ts';
import { mailEarned } from './mail-earned.ts';

const STORE = '/svc/store/v1';

const app = await openTestApp({ config: { timezone: 'Europe/Berlin', currency: 'EUR' } });
const { site } = app;
const admin = await app.key('admin', 'read,write,manage');
const run = () => mailEarned.run(site);

let orders = 0;
async function order(code: string, more: object = {}): Promise<() => Promise<void>> {
  const id = ++orders;
  const date = site.calendar.toLocal(site.clock());
  const json = { status: 'completed', subtotal: 100, total: 100, coupon_codes: [code], date };
  const put = async (values: object) => {
    const reply = await app.call(`${STORE}/orders/${id}`, {
      method: 'PUT',
      key: admin,
      json: values,
    });
    assert.ok(reply.status < 300, reply.text);
  };
  await put({ ...json, ...more });
  return () => put({ ...json, ...more, status: 'cancelled' });
}

async function coupon(login: string, code: string): Promise<number> {
  const json = { user_id: idOf(login), code };
  const reply = await app.call(`${STORE}/coupons`, { method: 'POST', key: admin, json });
  assert.equal(reply.status, 201, reply.text);
  return reply.body.id;
}

const mayas = await coupon('maya', 'MAYA1');
await coupon('maya', 'MAYA2');
await coupon('tomas', 'TOMAS');

/** The mails of a run, and the ones before no longer count. */
let seen = 0;
async function newMails() {
  const all = (await outbox(site)).filter(({ template }) => template === 'earned');
  const mails = all.slice(seen);
  seen = all.length;
  return mails;
}

/** A quarter past eight of the next day. */
async function nextMorning(): Promise<void> {
  const today = site.calendar.dayOf(site.clock());
  const tomorrow = site.calendar.dayOf(site.calendar.endOfDay(today) + 1);
  app.advance(site.calendar.fromLocal(`${tomorrow}T08:15:00`) - site.clock());
}

/** Begins with a run that is over. */
beforeEach(async () => {
  await app.set({ 'mail.earned': true, 'commission.delay_days': 0 });
  await run();
  await nextMorning();
  await run();
  app.advance(HOUR_MS);
  await newMails();
});

describe('the mail about earnings', () => {
  test('is one a day, with the exact sum, the balance and the way to the orders', async () => {
    await order('MAYA1', { subtotal: 33.33, total: 33.33 });
    await order('MAYA2', { subtotal: 0.1, total: 0.1 });
    await run();
    assert.deepEqual(await newMails(), [], 'not on the same day');
    await nextMorning();
    await run();
    const [mail, ...others] = await newMails();
    assert.deepEqual(others, []);
    assert.equal(mail!.to_address, 'maya@test.example');
    assert.equal(mail!.subject, 'You earned €3.34');
    assert.match(
      mail!.text,
      /You earned €3\.34 since \w+ \d+, 20\d\d\. Your balance is now €3\.34\./,
    );
    assert.ok(mail!.text.includes('/app/orders'), mail!.text);
    await run();
    await nextMorning();
    await run();
    assert.deepEqual(await newMails(), [], 'nothing earned since');
  });

  test('waits until eight by the clock of the store', async () => {
    await order('TOMAS');
    await nextMorning();
    app.advance(-20 * 60_000);
    await run();
    assert.deepEqual(await newMails(), []);
    app.advance(20 * 60_000);
    await run();
    assert.equal((await newMails()).length, 1);
  });

  test('is about commission that is payable, when it becomes so', async () => {
    await app.set({ 'commission.delay_days': 2 });
    await order('MAYA1');
    await nextMorning();
    await run();
    assert.deepEqual(await newMails(), [], 'on hold');
    app.advance(2 * DAY_MS);
    await releaseHeld.run(site);
    await nextMorning();
    await run();
    assert.equal((await newMails())[0]!.subject, 'You earned €10.00');
  });

  test('is net: what was taken back is subtracted, and zero or less sends none', async () => {
    const cancels = [await order('MAYA1'), await order('TOMAS')];
    await order('MAYA2', { subtotal: 50, total: 50 });
    for (const cancel of cancels) await cancel();
    await nextMorning();
    await run();
    const mails = await newMails();
    assert.deepEqual(
      mails.map(({ subject, to_address }) => [to_address, subject]),
      [['maya@test.example', 'You earned €5.00']],
    );
  });

  test('counts an adjustment of the team', async () => {
    const json = { amount: 20, note: 'Bonus' };
    const path = `${STORE}/coupons/${mayas}/adjustments`;
    assert.equal((await app.call(path, { method: 'POST', key: admin, json })).status, 201);
    await nextMorning();
    await run();
    assert.equal((await newMails())[0]!.subject, 'You earned €20.00');
  });

  test('leaves out orders from before it was switched on, such as imported ones', async () => {
    await order('MAYA1', { date: '2020-05-05T10:00:00' });
    await nextMorning();
    await run();
    assert.deepEqual(await newMails(), []);
  });

  test('is sent once by several instances', async () => {
    await order('MAYA1');
    await order('TOMAS');
    await nextMorning();
    await Promise.all([run(), run(), run()]);
    assert.equal((await newMails()).length, 2);
  });

  test('goes on where an interrupted run ended', async () => {
    await order('MAYA1');
    await order('TOMAS');
    app.advance(HOUR_MS);
    const state = `until = ${site.clock()}, after_user = ${idOf('maya')}`;
    await site.database.transaction((tx) => tx.execute(`update earned_mails set ${state}`));
    await run();
    const mails = await newMails();
    assert.deepEqual(
      mails.map(({ to_address }) => to_address),
      ['tomas@test.example'],
    );
    await nextMorning();
    await run();
    assert.deepEqual(await newMails(), []);
  });

  test('can be switched off by the affiliate', async () => {
    const session = await app.signIn('tomas');
    const set = (earnings: boolean) =>
      app.call(`${STORE}/account`, {
        method: 'PATCH',
        session,
        json: { notifications: { earnings } },
      });
    assert.equal((await set(false)).body.notifications.earnings, false);
    await order('TOMAS');
    await nextMorning();
    await run();
    await set(true);
    await nextMorning();
    await run();
    assert.deepEqual(await newMails(), [], 'not later either');
  });

  test('can be switched off by the store, and restarts when it is switched on', async () => {
    await app.set({ 'mail.earned': false });
    await run();
    await order('MAYA1');
    await nextMorning();
    await run();
    await app.set({ 'mail.earned': true });
    await run();
    await nextMorning();
    await run();
    assert.deepEqual(await newMails(), []);
    await order('MAYA1');
    await nextMorning();
    await run();
    assert.equal((await newMails()).length, 1);
  });
});

test('an upgraded store gets no mail about its history', async () => {
  const old = await openTestApp();
  const key = await old.key('admin', 'write,manage');
  const create = { user_id: idOf('maya'), code: 'OLD' };
  await old.call(`${STORE}/coupons`, { method: 'POST', key, json: create });
  const date = old.site.calendar.toLocal(old.site.clock());
  const json = { status: 'completed', subtotal: 100, total: 100, coupon_codes: ['OLD'], date };
  const reply = await old.call(`${STORE}/orders/1`, { method: 'PUT', key, json });
  assert.equal(reply.status, 201, reply.text);
  old.advance(DAY_MS);
  await mailEarned.run(old.site);
  old.advance(2 * DAY_MS);
  await mailEarned.run(old.site);
  assert.deepEqual(await outbox(old.site), []);
});
