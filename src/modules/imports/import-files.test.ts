import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { openTestApp } from '../../../test/support/harness.ts';
import { carryOutUndos } from './undo/undo-import.ts';

const STORE = '/svc/store/v1';
const app = await openTestApp();
const admin = await app.key('admin', 'read,write,manage');
const manager = await app.key('manager', 'read,write,manage');

const send = (source: string, files: Record<string, string>, more: object = {}, key = admin) =>
  app.call(`${STORE}/imports`, {
    method: 'POST',
    key,
    json: {
      source,
      files: Object.entries(files).map(([name, content]) => ({ name, content })),
      ...more,
    },
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

  test('orders as CSV are stored once, and cannot be undone', async () => {
    const files = {
      'orders.csv':
        'order_id,date,status,subtotal,total\n880001,2026-01-10T10:00:00,completed,20,20\n',
    };
    const { body, text } = await send('orders', files);
    assert.deepEqual([body.counts?.new, body.import?.records], [1, 1], text);
    assert.equal((await send('orders', files)).body.counts.known, 1);
    const refused = await app.call(`${STORE}/imports/${body.import.id}/undo`, {
      method: 'POST',
      key: admin,
      json: {},
    });
    assert.equal(refused.body.code, 'svc_api_import_not_undoable');
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

  test('refuses managers, and files that are none', async () => {
    assert.equal((await send('coupons', { 'a.csv': 'code\nX1\n' }, {}, manager)).status, 403);
    const reply = await send('orders', { 'a.csv': 'x,y\n1,2\n' }, { dry_run: true });
    assert.deepEqual(Object.keys(reply.body.data.params), ['files']);
  });
});
