import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { idOf, openTestApp } from '../../../test/support/harness.ts';
import { invoke } from '../../kernel/call/invoke.ts';
import { createCoupon } from '../coupons/index.ts';
import { carryOutUndos } from './undo/undo-import.ts';

const STORE = '/svc/store/v1';
const app = await openTestApp();
const admin = await app.key('admin', 'read,write,manage');
const manager = await app.key('manager', 'read,write,manage');

/** As the console does: larger files than JSON has room for. */
const send = (source: string, files: Record<string, string>, more: object = {}, key = admin) => {
  const form = new FormData();
  form.append('json', JSON.stringify({ source, ...more }));
  for (const [name, content] of Object.entries(files))
    form.append('files', new Blob([content]), name);
  return app.call(`${STORE}/imports`, { method: 'POST', key, form });
};
const undo = (id: number) =>
  app.call(`${STORE}/imports/${id}/undo`, { method: 'POST', key: admin, json: {} });
async function couponOf(login: string) {
  const { body } = await app.call(`/coupons?user_id=${idOf(login)}`, { key: admin });
  return app
    .call(`/coupons/${(body[0] ?? (await newCoupon(login))).id}`, { key: admin })
    .then((reply) => reply.body);
}
const newCoupon = (login: string) =>
  invoke<{ id: number }>(app.site, createCoupon, {
    code: `${login.toUpperCase()}CSV`,
    user_id: idOf(login),
  });
const find = async (text: string) =>
  (await app.call(`${STORE}/search?q=${text}`, { key: admin })).text;

describe('POST /imports', () => {
  test('affiliates as CSV: columns matched, a dry run, the import, and its undo', async () => {
    const files = {
      'people.csv':
        'Login,email,coupon_code,Shoe size\nnora,nora@mail.example,NORA10,38\nodd,not an address,,40\n',
    };
    const tried = await send('affiliates', files, { dry_run: true });
    assert.equal(tried.status, 200, tried.text);
    const { import: none, share, columns: seen, counts, lines } = tried.body;
    assert.deepEqual([none, share, counts.new, counts.refused], [null, 1, 1, 1]);
    assert.deepEqual(seen, [
      {
        name: 'people.csv',
        lines: 2,
        used: ['Login', 'email', 'coupon_code'],
        unused: ['Shoe size'],
      },
    ]);
    assert.deepEqual([lines[0].line, lines[0].outcome], [3, 'refused']);
    assert.ok(!(await find('nora10')).includes('NORA10'), 'a dry run keeps nothing');

    const { body } = await send('affiliates', files);
    assert.deepEqual([body.share, body.counts.new, body.import.state], [1, 1, 'done']);
    assert.deepEqual([body.import.affiliates, body.import.coupons], [1, 1]);
    assert.equal(body.import.run_by, 'admin');
    assert.ok((await find('nora10')).includes('NORA10'));

    const undone = await app.call(`${STORE}/imports/${body.import.id}/undo`, {
      method: 'POST',
      key: admin,
      json: {},
    });
    assert.equal(undone.status, 200, undone.text);
    await carryOutUndos.run(app.site);
    const { body: list } = await app.call(`${STORE}/imports`, { key: admin });
    assert.equal((list.items ?? list)[0].state, 'undone');
    assert.ok(!(await find('nora10')).includes('NORA10'));
  });

  test('orders as CSV are stored once; an undo cancels them, except those changed since', async () => {
    const { code } = await couponOf('maya');
    const line = (id: number) => `${id},2026-01-10T10:00:00,completed,20,20,${code}`;
    const header = 'order_id,date,status,subtotal,total,coupon_codes';
    const files = { 'orders.csv': [header, line(880_001), line(880_002), ''].join('\n') };
    const { body, text } = await send('orders', files);
    assert.deepEqual([body.counts?.new, body.import?.records], [2, 2], text);
    assert.equal((await send('orders', files)).body.counts.known, 2);
    assert.equal((await couponOf('maya')).unpaid_commission, 4);
    app.advance(1_000);
    const json = { date: '2026-01-10T10:00:00', status: 'completed', subtotal: 30, total: 30 };
    const changed = { ...json, coupon_codes: [code] };
    await app.call(`${STORE}/orders/880002`, { method: 'PUT', key: admin, json: changed });

    assert.equal((await undo(body.import.id)).body.state, 'undoing');
    await carryOutUndos.run(app.site);
    const statusOf = async (id: number) =>
      (await app.call(`${STORE}/orders/${id}`, { key: admin })).body.status;
    assert.deepEqual(
      [await statusOf(880_001), await statusOf(880_002)],
      ['cancelled', 'completed'],
    );
    assert.equal((await couponOf('maya')).unpaid_commission, 3);
    const { body: list } = await app.call(`${STORE}/imports`, { key: admin });
    const { state, kept } = (list.items ?? list).find((one: any) => one.id === body.import.id);
    assert.deepEqual([state, kept], ['undone', 1]);
    assert.equal((await undo(body.import.id)).body.code, 'svc_api_import_not_undoable');

    const again = await send('orders', { 'later.csv': files['orders.csv'] });
    assert.equal(again.body.counts.known, 2, 'the same lines bring the orders back');
    assert.equal((await couponOf('maya')).unpaid_commission, 4);
  });

  test('orders earn by the time at which they were placed, whatever the order of the lines', async () => {
    const { code } = await couponOf('maya');
    const rate = { percent: 50 };
    const rule = { name: 'First orders', rate, order: { customer: 'first' } };
    const { body: made, status } = await app.call(`${STORE}/rewards/rules`, {
      method: 'POST',
      key: admin,
      json: rule,
    });
    assert.equal(status, 201);
    const rows = [3, 1, 2].map(
      (month) => `88020${month},2026-0${month}-05,completed,100,${code},nina@mail.example`,
    );
    const header = 'order_id,date,status,total,coupon_codes,customer_email';
    const { text } = await send('orders', { 'newest.csv': [header, ...rows].join('\n') });
    const earned = async (id: number) =>
      (await app.call(`${STORE}/orders/${id}`, { key: admin })).body.referrals[0].commission;
    assert.deepEqual(
      [await earned(880_201), await earned(880_202), await earned(880_203)],
      [50, 10, 10],
      text,
    );
    const path = `${STORE}/rewards/rules/${made.id}?version=${made.version}`;
    await app.call(path, { method: 'DELETE', key: admin });
  });

  test('an import of orders whose commission is paid out stays', async () => {
    const { id, code, unpaid_commission: before } = await couponOf('tomas');
    const header = 'order_id,date,status,subtotal,total,coupon_codes\n';
    const line = `880101,2026-01-10T10:00:00,completed,50,50,${code}\n`;
    const { body } = await send('orders', { 'paid.csv': header + line });
    await app.set({ 'payouts.details_required': false });
    const payout = { method: 'POST', key: admin, json: { coupon_id: id } };
    const requested = await app.call('/payouts', payout);
    assert.equal(requested.status, 201, requested.text);
    const refused = await undo(body.import.id);
    assert.deepEqual([refused.status, refused.body.code], [409, 'svc_api_import_not_undoable']);
    assert.match(refused.body.message, new RegExp(`earned 5 .*${code}.* 0 `));
    const stays = await app.call(`${STORE}/orders/880101`, { key: admin });
    assert.equal(stays.body.status, 'completed');
    assert.equal(before, 0);
  });

  test('coupons of a known user and of none', async () => {
    const files = { 'codes.csv': 'code,user\nSPRING26,maya\nFREE26,\nBAD26,no such user\n' };
    const { body } = await send('coupons', files);
    assert.deepEqual([body.counts.new, body.counts.refused, body.import.coupons], [2, 1, 2]);
  });

  test('files of another system', async () => {
    const files = Object.fromEntries(
      ['affiliates', 'payouts', 'referrals'].map((name) => [
        `${name}.csv`,
        readFileSync(`test/moving/files/affiliatewp/${name}.csv`, 'utf8'),
      ]),
    );
    const tried = await send('affiliatewp', files, { dry_run: true });
    assert.equal(tried.status, 200, tried.text);
    assert.ok(tried.body.columns[0].unused.includes('Conversion Rate'));
    const { body } = await send('affiliatewp', files);
    assert.deepEqual([body.share, body.import.state], [1, 'done']);
    assert.equal(body.counts.new, tried.body.counts.new);
    assert.equal(body.opening_balance, tried.body.opening_balance);
    const unknown = await send('rewardful', { 'other.csv': 'a,b\n1,2\n' }, { dry_run: true });
    assert.equal(unknown.status, 400);
    assert.match(unknown.body.data.params.files, /none of the files of Rewardful/);
  });

  test('files of megabytes, of administrators only', async () => {
    const notes = (megabytes: number) => ({
      'long.csv': `login,email,Notes\nwide,wide@mail.example,${'n'.repeat(megabytes * 1_000_000)}\n`,
    });
    const { status, body } = await send('affiliates', notes(1.9), { dry_run: true });
    assert.deepEqual([status, body.counts?.new], [200, 1]);
    const own = await app.key('maya', 'read,write,manage');
    for (const key of [manager, own]) {
      const refused = await send('affiliates', notes(1.9), { dry_run: true }, key);
      assert.deepEqual([refused.status, refused.body.code], [403, 'svc_api_forbidden']);
    }
    const tooLong = await send('affiliates', notes(2.05), { dry_run: true });
    assert.equal(tooLong.status, 400, tooLong.text);
    const tooLarge = await send('affiliates', notes(4), { dry_run: true });
    assert.equal(tooLarge.status, 413);
    assert.match(tooLarge.text, /larger than 2\.1 MB/);
    const json = { source: 'affiliates', files: [{ name: 'a.csv', content: 'x'.repeat(1.1e6) }] };
    const asJson = await app.call(`${STORE}/imports`, { method: 'POST', key: admin, json });
    assert.equal(asJson.status, 413);
  });

  test('refuses more lines and columns than a request has time for', async () => {
    for (const [content, reason] of [
      [`login,email\n${'x\n'.repeat(50_000)}`, /more than 50000 lines/],
      [`login,email\r${'x\r'.repeat(50_000)}`, /more than 50000 lines/],
      [`login${',x'.repeat(200)}\n`, /more than 200 columns/],
      [`[${'{},'.repeat(200_000)}{}]`, /more than 200000 values/],
    ] as const) {
      const reply = await send('affiliates', { 'many.csv': content }, { dry_run: true });
      assert.equal(reply.status, 400, reply.text);
      assert.match(reply.body.data.params.files, reason);
    }
  });

  test('refuses managers, and files that are none', async () => {
    assert.equal((await send('coupons', { 'a.csv': 'code\nX1\n' }, {}, manager)).status, 403);
    const reply = await send('orders', { 'a.csv': 'x,y\n1,2\n' }, { dry_run: true });
    assert.deepEqual(Object.keys(reply.body.data.params), ['files']);
  });
});
