import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { idOf, openTestApp } from '../../../test/support/harness.ts';
import { outbox } from '../../../test/support/outbox.ts';
import { system } from '../../kernel/declare/caller.ts';
import { MINUTE_MS } from '../../shared/durations.ts';
import { addCoupon } from '../coupons/index.ts';
import { createUser } from '../users/index.ts';
import { mailChanges } from './mail-changes.ts';

const STORE = '/svc/store/v1';

const app = await openTestApp({ settings: { 'commission.percent': 10 } });
const { site } = app;
app.setClock(Date.parse('2026-11-10T12:00:00Z') - site.clock());
const admin = await app.key('admin', 'read,write,manage');
const run = () => mailChanges.run(site);

async function send(method: string, path: string, json?: object) {
  const reply = await app.call(`${STORE}${path}`, { method, key: admin, ...(json && { json }) });
  assert.ok(reply.status < 300, reply.text);
  return reply.body;
}
const addRule = (json: object) => send('POST', '/rewards/rules', json);
const change = (id: number, json: object) => send('PATCH', `/rewards/rules/${id}`, json);

await send('POST', '/groups', { name: 'Gold' });
const coupons = {
  maya: await send('POST', '/coupons', { user_id: idOf('maya'), code: 'MAYA1' }),
  tomas: await send('POST', '/coupons', { user_id: idOf('tomas'), code: 'TOMAS' }),
};
await send('PATCH', `/affiliates/${idOf('maya')}`, { groups: ['Gold'] });

/** The mails since the last call, as recipient and the paragraphs about changes. */
let seen = 0;
async function newMails() {
  const all = (await outbox(site)).filter(({ template }) => template === 'rewards-changed');
  const mails = all.slice(seen);
  seen = all.length;
  return mails;
}
const changesOf = (text: string) => text.split('\n\n').slice(2, -4).join('\n\n');

async function mailed(): Promise<Record<string, string>> {
  app.advance(10 * MINUTE_MS);
  await run();
  const mails = await newMails();
  return Object.fromEntries(
    mails.map(({ to_address, text }) => [to_address.split('@')[0]!, changesOf(text)]),
  );
}

/** Begins without rules and bonuses, and with no changes that wait. */
beforeEach(async () => {
  for (const { id } of (await send('GET', '/rewards/rules')).rules) {
    await send('DELETE', `/rewards/rules/${id}`);
  }
  for (const { id } of (await send('GET', '/rewards/bonuses')).bonuses) {
    await send('DELETE', `/rewards/bonuses/${id}`);
  }
  await mailed();
});

describe('the mail about changed rewards', () => {
  test('has the new sentence, the day and the way to all of them', async () => {
    await addRule({ what: { tags: ['sale'] }, rate: { percent: 5 } });
    app.advance(10 * MINUTE_MS);
    await run();
    const mails = await newMails();
    assert.deepEqual(
      mails.map(({ to_address }) => to_address),
      ['maya@test.example', 'tomas@test.example'],
    );
    const { subject, text, html } = mails[0]!;
    assert.match(subject, /^How you earn at .* has changed$/);
    assert.match(text, /From November 10, 2026 on, these apply to you:/);
    assert.equal(changesOf(text), 'New: You earn 5% on products with the tag sale.');
    assert.ok(text.includes('/app/rewards'), text);
    assert.ok(html.includes('/app/rewards'), html);
  });

  test('has the old and the new sentence of a changed rule, and the old one of a removed', async () => {
    const changed = await addRule({ what: { tags: ['sale'] }, rate: { percent: 5 } });
    const removed = await addRule({ what: { tags: ['old'] }, rate: { percent: 6 } });
    const off = await addRule({ what: { tags: ['off'] }, rate: { percent: 7 } });
    await mailed();
    await change(changed.id, { rate: { percent: 8 } });
    await change(off.id, { active: false });
    await send('DELETE', `/rewards/rules/${removed.id}`);
    const { maya } = await mailed();
    assert.equal(
      maya,
      'Until now: You earn 5% on products with the tag sale.\n' +
        'From now on: You earn 8% on products with the tag sale.\n\n' +
        'No longer: You earn 6% on products with the tag old.\n\n' +
        'No longer: You earn 7% on products with the tag off.',
    );
  });

  test('is one for edits in a row, ten minutes after the last one', async () => {
    const { id } = await addRule({ rate: { percent: 1 } });
    for (const percent of [2, 3, 4, 5]) {
      app.advance(9 * MINUTE_MS);
      await run();
      await change(id, { rate: { percent } });
    }
    app.advance(9 * MINUTE_MS);
    await run();
    assert.deepEqual(await newMails(), [], 'not yet');
    assert.deepEqual(await mailed(), { maya: 'New: You earn 5%.', tomas: 'New: You earn 5%.' });
    assert.deepEqual(await mailed(), {}, 'and not again');
  });

  test('waits for an hour after the first edit at most', async () => {
    const { id } = await addRule({ rate: { percent: 1 } });
    for (const percent of [2, 3, 4, 5, 6, 7]) {
      app.advance(9 * MINUTE_MS);
      await run();
      await change(id, { rate: { percent } });
    }
    assert.deepEqual(await newMails(), [], 'not yet');
    app.advance(6 * MINUTE_MS);
    await run();
    assert.equal((await newMails()).length, 2);
    await change(id, { rate: { percent: 8 } });
    app.advance(9 * MINUTE_MS);
    await run();
    assert.deepEqual(await newMails(), [], 'the next one waits again');
    assert.match(
      (await mailed())['tomas']!,
      /^Until now: You earn 7%.\nFrom now on: You earn 8%.$/,
    );
  });

  test('goes only to those for whom other sentences apply', async () => {
    await addRule({ who: { groups: ['Gold'] }, rate: { percent: 15 } });
    assert.deepEqual(await mailed(), { maya: 'New: You earn 15%.' });
    await addRule({ who: { affiliates: [idOf('tomas')] }, rate: { percent: 16 } });
    assert.deepEqual(await mailed(), { tomas: 'New: You earn 16%.' });
    const { id } = await addRule({
      who: { coupons: [coupons.tomas.id] },
      what: { tags: ['x'] },
      rate: { excluded: true },
      position: 1,
    });
    assert.deepEqual(Object.keys(await mailed()), ['tomas']);
    await change(id, { who: { coupons: [coupons.maya.id, coupons.tomas.id] } });
    assert.match((await mailed())['maya']!, /^New: .*MAYA1/, 'his sentence is the same');
  });

  test('is not sent where the same sentences apply before and after', async () => {
    const { id } = await addRule({ name: 'a', rate: { percent: 5 } });
    const other = await addRule({ what: { tags: ['x'] }, rate: { fixed_per_order: 1 } });
    await mailed();
    await change(id, { name: 'b' });
    assert.deepEqual(await mailed(), {}, 'another name');
    await change(id, { rate: { percent: 6 } });
    await change(id, { rate: { percent: 5 } });
    assert.deepEqual(await mailed(), {}, 'changed back');
    await send('DELETE', `/rewards/rules/${id}`);
    await addRule({ rate: { percent: 5 } });
    assert.deepEqual(await mailed(), {}, 'made again');
    await change(other.id, { position: 1 });
    assert.deepEqual(await mailed(), {}, 'moved');
    await addRule({ to: '2026-11-01', rate: { percent: 50 }, position: 1 });
    assert.deepEqual(await mailed(), {}, 'over');
  });

  test('is sent about an order of the rules in which one hides another', async () => {
    const first = await addRule({ who: { groups: ['Gold'] }, rate: { percent: 15 } });
    const second = await addRule({ rate: { percent: 12 } });
    await mailed();
    const { version } = await send('GET', '/rewards/rules');
    await send('PUT', '/rewards/rules/order', { ids: [second.id, first.id], version });
    assert.deepEqual(await mailed(), {
      maya: 'New: You earn 12%.\n\nNo longer: You earn 15%.',
    });
  });

  test('is sent about another order of the same sentences if an order may earn something else', async () => {
    const move = (id: number) => change(id, { position: 1 });
    const sale = await addRule({ what: { tags: ['sale'] }, rate: { percent: 5 } });
    const first = await addRule({ order: { customer: 'first' }, rate: { percent: 20 } });
    const repeat = await addRule({ order: { customer: 'repeat' }, rate: { percent: 8 } });
    await mailed();
    await move(repeat.id);
    await move(sale.id);
    assert.deepEqual(await mailed(), {}, 'no order is a first and a repeat one');
    await move(first.id);
    const heading =
      'These rules apply in another order now. Where several apply, the first counts:\n';
    const [onSale, onFirst] = [
      'You earn 5% on products with the tag sale.',
      'You earn 20% for the first order of a customer.',
    ];
    const { maya, tomas } = await mailed();
    assert.equal(maya, `${heading}${onFirst}\n${onSale}`);
    assert.equal(tomas, maya);
    const gold = await addRule({
      who: { groups: ['Gold'] },
      what: { tags: ['sale'] },
      rate: { percent: 9 },
      position: 2,
    });
    await mailed();
    await move(gold.id);
    assert.deepEqual(Object.keys(await mailed()), ['maya'], 'only where a rule of the own moved');
  });

  test('is also about bonuses, in the same mail as rules', async () => {
    const target = { by: 'sales', counts: 'granted', window: { kind: 'month' }, at: 1000 };
    const who = { groups: ['Gold'] };
    const bonus = await send('POST', '/rewards/bonuses', {
      name: 'Autumn',
      who,
      target,
      pays: { amount: 50 },
    });
    await addRule({ rate: { percent: 12 } });
    const first = await mailed();
    assert.match(first['maya']!, /^New: You earn 12%\.\n\nNew: You get .50\.00 for /);
    assert.equal(first['tomas'], 'New: You earn 12%.');
    await send('PATCH', `/rewards/bonuses/${bonus.id}`, { pays: { amount: 60 } });
    const second = await mailed();
    assert.match(second['maya']!, /^Until now: .*50\.00.*\nFrom now on: .*60\.00/);
    assert.deepEqual(Object.keys(second), ['maya']);
  });

  test('is not about a bonus that the affiliate can no longer get', async () => {
    const pays = { amount: 5 };
    await send('POST', '/rewards/bonuses', { name: 'In', target: { event: 'accepted' }, pays });
    assert.deepEqual(await mailed(), {});
    const order = { subtotal: 10, total: 10, coupon_codes: ['MAYA1'], status: 'completed' };
    await send('PUT', '/orders/1', { ...order, date: site.calendar.toLocal(site.clock()) });
    await send('POST', '/rewards/bonuses', { name: '1', target: { event: 'first_order' }, pays });
    assert.deepEqual(Object.keys(await mailed()), ['tomas']);
  });

  test('is in the language of the affiliate, and escapes what the owner wrote', async () => {
    const session = await app.signIn('tomas');
    const set = (language: string) =>
      app.call(`${STORE}/account`, { method: 'PATCH', session, json: { language } });
    assert.equal((await set('de')).status, 200);
    await addRule({ what: { tags: ['<b>{{x}}'] }, rate: { percent: 5 } });
    app.advance(10 * MINUTE_MS);
    await run();
    const [, mail] = await newMails();
    await set('en');
    assert.match(changesOf(mail!.text), /^Neu: Sie verdienen 5\s% .*<b>\{\{x\}\}/);
    assert.match(mail!.text, /Ab dem 10\. November 2026/);
    assert.ok(mail!.html.includes('&lt;b&gt;{{x}}'), mail!.html);
  });

  test('is not sent to affiliates who are suspended or have switched it off', async () => {
    await send('PATCH', `/affiliates/${idOf('maya')}`, { status: 'suspended' });
    const session = await app.signIn('tomas');
    const set = (rewards: boolean) =>
      app.call(`${STORE}/account`, {
        method: 'PATCH',
        session,
        json: { notifications: { rewards } },
      });
    assert.equal((await set(false)).body.notifications.rewards, false);
    await addRule({ rate: { percent: 5 } });
    assert.deepEqual(await mailed(), {});
    await set(true);
    await send('PATCH', `/affiliates/${idOf('maya')}`, { status: 'active' });
    assert.deepEqual(await mailed(), {}, 'not later either');
  });

  test('can be switched off by the store', async () => {
    await app.set({ 'mail.rewards': false });
    const { id } = await addRule({ rate: { percent: 5 } });
    await app.set({ 'mail.rewards': true });
    assert.deepEqual(await mailed(), {});
    await change(id, { rate: { percent: 6 } });
    await app.set({ 'mail.rewards': false });
    assert.deepEqual(await mailed(), {});
    await app.set({ 'mail.rewards': true });
    assert.deepEqual(await mailed(), {}, 'not later either');
  });

  test('is sent once by several instances', async () => {
    await addRule({ rate: { percent: 5 } });
    app.advance(10 * MINUTE_MS);
    await Promise.all([run(), run(), run()]);
    assert.equal((await newMails()).length, 2);
  });

  test('goes on where an interrupted run ended, with the changes of that run', async () => {
    const { id } = await addRule({ rate: { percent: 5 } });
    app.advance(10 * MINUTE_MS);
    const after = JSON.stringify({ rules: [(await send('GET', '/rewards/rules')).rules[0]] });
    const state = `after = '${after}', after_user = ${idOf('maya')}`;
    await site.database.transaction((tx) => tx.execute(`update reward_changes set ${state}`));
    await change(id, { rate: { percent: 6 } });
    await run();
    const mails = await newMails();
    assert.deepEqual(
      mails.map(({ to_address, text }) => [to_address, changesOf(text)]),
      [['tomas@test.example', 'New: You earn 5%.']],
    );
    const both = 'Until now: You earn 5%.\nFrom now on: You earn 6%.';
    assert.deepEqual(await mailed(), { maya: both, tomas: both });
  });

  test('goes to every one of many affiliates once', async () => {
    const added = 450;
    await site.database.transaction(async (tx) => {
      for (let i = 1; i <= added; i++) {
        const login = `many${i}`;
        const user = { login, email: `${login}@test.example`, role: 'affiliate' as const };
        const { id } = await createUser(tx, site, { ...user, passwordHash: null });
        const coupon = { code: login, user_id: id, rates: {} };
        await addCoupon(tx, site, system, coupon, site.clock());
      }
    });
    await addRule({ rate: { percent: 5 } });
    app.advance(10 * MINUTE_MS);
    await run();
    const addresses = (await newMails()).map(({ to_address }) => to_address);
    assert.equal(addresses.length, added + 2);
    assert.equal(new Set(addresses).size, added + 2);
  });
});
