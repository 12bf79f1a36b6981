import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { idOf, openTestApp } from '../../../../test/support/harness.ts';
import { outbox } from '../../../../test/support/outbox.ts';
import { ApiError } from '../../../kernel/declare/errors.ts';
import { saveImportState, saveUndoRequest } from '../import-rows.ts';
import { undoImport } from '../undo/undo-import.ts';
import { carryOutUndos } from '../undo/undo-import.ts';
import { readSource } from './read-file.ts';
import { runImport, type ImportResult } from './run-import.ts';
import { systems } from './systems.ts';

const app = await openTestApp();
const admin = await app.key('admin', 'read,write,manage');
const STORE = '/svc/store/v1';
const folder = mkdtempSync(join(tmpdir(), 'tributary-moving-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const samples = new URL('../../../../test/moving/files/', import.meta.url).pathname;
const sample = (...files: string[]) => files.map((file) => join(samples, file));
const awp = sample(
  'affiliatewp/affiliates.csv',
  'affiliatewp/referrals.csv',
  'affiliatewp/payouts.csv',
);

function write(name: string, lines: readonly string[]): string {
  const path = join(folder, name);
  writeFileSync(path, lines.join('\n'));
  return path;
}

function importing(
  name: string,
  files: readonly string[],
  options: { dryRun?: boolean; invite?: boolean; onProgress?: () => void } = {},
): Promise<ImportResult> {
  const system = systems.find((one) => one.name === name)!;
  return runImport(app.site, system, files.map(readSource), {
    dryRun: false,
    invite: false,
    runBy: 'test',
    ...options,
  });
}

const send = async (method: string, path: string, json?: object) => {
  const reply = await app.call(path, { method, key: admin, ...(json && { json }) });
  assert.ok(reply.status < 300, `${method} ${path}: ${reply.text}`);
  return reply.body;
};
const outcomesOf = ({ lines }: ImportResult) =>
  lines.map(({ file, line, outcome }) => `${file}:${line} ${outcome}`);
const messagesOf = ({ lines }: ImportResult) =>
  lines.flatMap(({ file, line, messages }) => messages.map((text) => `${file}:${line} ${text}`));
const affiliates = async () =>
  (await send('GET', '/affiliates?per_page=100')).map(({ user }: any) => user.login).toSorted();
const unpaidOf = async (login: string) => {
  const rows = await send('GET', '/affiliates?per_page=100');
  const { user } = rows.find((row: any) => row.user.login === login);
  const { available, taken_back } = await send('GET', `${STORE}/affiliates/${user.id}/balance`);
  return available - taken_back;
};
/** What an owner sees of the whole program. */
const figures = async () => {
  const [summary, ledger, coupons] = [
    await send('GET', '/reports/summary'),
    await send('GET', `${STORE}/ledger/verify`),
    await send('GET', '/coupons?per_page=100&status=active'),
  ];
  assert.equal(ledger.ok, true, JSON.stringify(ledger.differences));
  const { totals, payouts, top_affiliates } = summary;
  return {
    summary: { totals, payouts, top_affiliates },
    affiliates: await affiliates(),
    codes: coupons.map(({ code }: any) => code),
  };
};

describe('an import from another system', () => {
  test('brings affiliates, codes, balances and history; an undo brings back the same figures', async () => {
    const before = await figures();
    const mails = (await outbox(app.site)).length;
    const dry = await importing('affiliatewp', awp, { dryRun: true });
    assert.equal(dry.id, null);
    assert.deepEqual(await figures(), before, 'a dry run keeps nothing');

    const first = await importing('affiliatewp', awp);
    assert.deepEqual(outcomesOf(first), outcomesOf(dry), 'and says what becomes of each line');
    assert.deepEqual(outcomesOf(first), [
      'affiliates.csv:2 new',
      'affiliates.csv:3 new',
      'affiliates.csv:4 skipped',
      'affiliates.csv:5 known',
      'payouts.csv:2 new',
      'referrals.csv:2 new',
      'referrals.csv:3 new',
      'referrals.csv:4 new',
      'referrals.csv:5 new',
      'referrals.csv:6 refused',
      'referrals.csv:7 new',
    ]);
    assert.deepEqual([first.opening, first.pending], [2750, 1525]);
    assert.deepEqual(await affiliates(), [...before.affiliates, 'annlee', 'bo'].toSorted());
    assert.equal(await unpaidOf('annlee'), 27.5);
    const { codes } = await figures();
    for (const code of ['annlee', '12', 'annlee2', '15']) assert.ok(codes.includes(code), code);
    assert.equal((await outbox(app.site)).length, mails, 'no affiliate is invited');

    const rows = await send('GET', '/affiliates?per_page=100');
    const { user } = rows.find((row: any) => row.user.login === 'annlee');
    const history = await send('GET', `${STORE}/affiliates/${user.id}/history`);
    assert.deepEqual(
      history.map((row: any) => [row.kind, row.state, row.amount, row.reference, row.date]),
      [
        ['payout', 'paid', 100, 'manual', '2025-02-01T00:00:00'],
        ['referral', 'unpaid', 7, '1004', '2025-01-14T00:00:00'],
        ['referral', 'pending', 15.25, '1003', '2025-01-12T00:00:00'],
        ['referral', 'paid', 100, '1002', '2025-01-10T00:00:00'],
        ['referral', 'unpaid', 20.5, '1001', '2025-01-09T00:00:00'],
      ],
    );
    const person = await send('GET', `${STORE}/affiliates/${user.id}/person`);
    assert.deepEqual(person.data.imports.known_as, [{ system: 'affiliatewp', external_id: '12' }]);
    assert.equal(person.data.imports.history.length, 5);

    // The same again, as a new export of the same state: nothing changes.
    const events = (await app.call('/events?per_page=1', { key: admin })).headers.get(
      'x-svc-total',
    );
    const again = await importing('affiliatewp', awp);
    assert.equal(again.opening, 0);
    assert.ok(outcomesOf(again).every((line) => /known|skipped|refused/.test(line)));
    assert.equal(
      (await app.call('/events?per_page=1', { key: admin })).headers.get('x-svc-total'),
      events,
    );

    // A later export: 1003 was approved, 1001 was paid there.
    const later = write('later.csv', [
      'Affiliate ID,Email,Username,Amount,Currency,Reference,Status,Date',
      '12,ann@move.example,annlee,20.50,USD,1001,paid,2025-01-09',
      '12,ann@move.example,annlee,100.00,USD,1002,paid,2025-01-10',
      '12,ann@move.example,annlee,15.25,USD,1003,unpaid,2025-01-12',
      '15,ANN@move.example,annlee2,7.00,USD,1004,unpaid,2025-01-14',
    ]);
    const second = await importing('affiliatewp', [later]);
    assert.deepEqual(outcomesOf(second), [
      'later.csv:2 changed',
      'later.csv:3 known',
      'later.csv:4 changed',
      'later.csv:5 known',
    ]);
    assert.equal(second.opening, 2225 - 2750);
    assert.equal(await unpaidOf('annlee'), 22.25);

    await assert.rejects(undoImport(app.site, first.id!), /money has moved since.*import \d/s);
    await undoImport(app.site, second.id!);
    assert.equal(await unpaidOf('annlee'), 27.5);
    const [state] = (await send('GET', `${STORE}/affiliates/${user.id}/history`)).slice(-1);
    assert.equal(state.state, 'unpaid', 'the history is as the first import had it');
    await undoImport(app.site, again.id!);
    const undone = await undoImport(app.site, first.id!);
    assert.deepEqual(undone, {
      id: first.id!,
      affiliates: 2,
      coupons: 6,
      balance: 2750,
      records: 6,
      rules: 0,
      kept: [],
    });
    assert.deepEqual(await figures(), before);
    assert.equal((await app.call(`/affiliates/${user.id}`, { key: admin })).status, 404);
    await assert.rejects(undoImport(app.site, first.id!), /has already been undone/);
    await assert.rejects(undoImport(app.site, 9_999), ApiError);

    // The addresses and codes are free again.
    const repeated = await importing('affiliatewp', awp);
    assert.deepEqual(outcomesOf(repeated), outcomesOf(first));
    await undoImport(app.site, repeated.id!);
    assert.deepEqual(await figures(), before);
  });

  test('joins users by address, keeps their logins, and leaves the codes of others alone', async () => {
    await send('POST', `${STORE}/coupons`, { code: 'Taken', user_id: idOf('tomas') });
    await send('POST', `${STORE}/coupons`, { code: 'OWN', user_id: idOf('maya') });
    const people = write('people.csv', [
      'User ID,Username,Display Name,Email,Commission Payouts,Affiliate Coupons',
      '1,other-login,Other Name,MAYA@test.example,10.00,"own, fresh, taken"',
      '2,maya,Second Maya,second@move.example,-3.50,',
      '3,,Ünï,ünï@move.example,0,taken',
    ]);
    const result = await importing('coupon-affiliates', [people], { invite: true });
    assert.deepEqual(messagesOf(result), [
      'people.csv:2 the code taken belongs to another coupon here and is left out',
      'people.csv:2 joined with the login maya; codes fresh',
      'people.csv:2 opening balance 10 USD',
      'people.csv:3 login maya-2; codes maya-2',
      'people.csv:3 opening balance -3.5 USD',
      'people.csv:4 the code taken belongs to another affiliate of these files',
      'people.csv:4 login uni; codes uni',
    ]);
    const maya = await send('GET', `/affiliates/${idOf('maya')}`);
    assert.equal(maya.user.display_name, 'maya');
    assert.equal(await unpaidOf('maya-2'), -3.5);
    const invited = (await outbox(app.site)).filter(
      ({ template }) => template === 'account-invitation',
    );
    assert.deepEqual(invited.map(({ to_address }) => to_address).toSorted(), [
      'second@move.example',
      'ünï@move.example',
    ]);

    // One of the new affiliates has chosen a password since, and stays.
    await app.site.database.transaction((tx) =>
      tx.execute(`update users set password_hash = 'x' where login = 'maya-2'`),
    );
    const undone = await undoImport(app.site, result.id!);
    const [listed] = await send('GET', `${STORE}/imports?per_page=1`);
    assert.deepEqual([listed.state, listed.kept], ['undone', 1]);
    assert.deepEqual(
      [undone.affiliates, undone.coupons, undone.balance, undone.kept],
      [1, 3, 650, ['maya-2 (has an own password or has signed in)']],
    );
    const codes = (await send('GET', `/affiliates/${idOf('maya')}`)).coupons;
    assert.ok(codes.some(({ code, status }: any) => code === 'OWN' && status === 'active'));
    assert.equal((await send('GET', `${STORE}/ledger/verify`)).ok, true);
  });

  test('is not undone after money has moved', async () => {
    const files = sample(
      'rewardful/affiliates.json',
      'rewardful/commissions.json',
      'rewardful/payouts.json',
    );
    const { id } = await importing('rewardful', files);
    const order = { status: 'completed', date: '2026-03-01', total: 100, coupon_codes: ['FAY15'] };
    await send('PUT', `${STORE}/orders/71`, order);
    await assert.rejects(
      undoImport(app.site, id!),
      /Import \d+ cannot be undone: money has moved since\. The coupon FAY15 got "Order 71/,
    );
    // Money that moves after the request stops the job, which says why.
    await app.site.database.transaction(async (tx) => {
      await saveImportState(tx, id!, 'undoing', null);
      await saveUndoRequest(tx, { id: id!, undo_by: idOf('admin'), reason: '' });
    });
    await carryOutUndos.run(app.site);
    const [stopped] = await send('GET', `${STORE}/imports?per_page=1`);
    assert.equal(stopped.state, 'undoing');
    assert.match(stopped.reason, /money has moved since/);
    assert.equal(await unpaidOf('fay'), 40, 'nothing was taken back');
    const { coupon_codes: _, ...byLink } = order;
    await send('PUT', `${STORE}/orders/72`, { ...byLink, referral_code: 'fay' });
    assert.equal(await unpaidOf('fay'), 50, 'an old link still leads to the affiliate');
    assert.equal((await send('GET', `${STORE}/ledger/verify`)).ok, true);
  });

  test('reports code and balance files, and records of affiliates that no file describes', async () => {
    const coupons = write('coupons.csv', ['Affiliate ID,Coupon Code', '900,spring', '901,autumn']);
    const people = write('two.csv', [
      'Affiliate ID,Email,Status,Username',
      '900,nine@move.example,active,nine',
      '901,ten@move.example,rejected,ten',
    ]);
    const payouts = write('paid.csv', [
      'Payout ID,Affiliate,Amount,Status,Date',
      '70,Nine (#900),5,paid,2025-01-01',
      '71,Zoe (#999),5,paid,2025-01-01',
    ]);
    const result = await importing('affiliatewp', [coupons, people, payouts]);
    assert.deepEqual(outcomesOf(result), [
      'coupons.csv:2 new',
      'coupons.csv:3 skipped',
      'paid.csv:2 new',
      'paid.csv:3 skipped',
      'two.csv:2 new',
      'two.csv:3 skipped',
    ]);
    const balances = write('balances.csv', ['affiliate_email,balance', 'nine@move.example,7.50']);
    const stated = await importing('tapfiliate', [balances]);
    assert.deepEqual(outcomesOf(stated), ['balances.csv:2 changed']);
    assert.equal(await unpaidOf('nine'), 7.5);
    // The affiliate is also part of the second import, so it stays until that one is undone.
    await assert.rejects(undoImport(app.site, result.id!), /Opening balance from Tapfiliate/);
    await undoImport(app.site, stated.id!);
    assert.equal((await undoImport(app.site, result.id!)).affiliates, 1);
  });

  test('continues after an interruption, and two concurrent runs do not apply a piece twice', async () => {
    const count = 30;
    const people = write('many.csv', [
      'first_name,last_name,email,token',
      ...Array.from({ length: count }, (_, i) => `P,${i},p${i}@many.example,many${i}`),
    ]);
    const sales = write('many-sales.csv', [
      'Commission ID,Affiliate Email,Amount,Currency,State,Sale Amount',
      ...Array.from(
        { length: count * 20 },
        (_, i) => `c${i},p${i % count}@many.example,1.25,USD,due,10`,
      ),
    ]);
    const files = [people, sales];
    let pieces = 0;
    const interrupted = importing('rewardful', files, {
      onProgress: () => {
        pieces += 1;
        if (pieces === 3) throw new Error('interrupted');
      },
    });
    await assert.rejects(interrupted, /interrupted/);
    const both = await Promise.allSettled([
      importing('rewardful', files),
      importing('rewardful', files),
    ]);
    const done = both.filter((one) => one.status === 'fulfilled');
    assert.ok(done.length >= 1);
    for (const one of both) {
      if (one.status === 'rejected') assert.match(String(one.reason), /Another command is working/);
    }
    // Either of the two may be the first. The other one is refused, finds nothing left, or, if it begins after the
    // first has ended, is an import of its own that changes nothing, as the third one here is.
    const { id } = done.find(({ value }) => value.resumedAfter === 3)!.value;
    const later = [...done.map(({ value }) => value), await importing('rewardful', files)]
      .map((one) => one.id)
      .filter((other) => other !== id);
    assert.ok(later.length >= 1);
    assert.equal(await unpaidOf('p7'), 25);
    assert.equal((await send('GET', `${STORE}/ledger/verify`)).ok, true);
    const listed = async () => {
      const imports = await send('GET', `${STORE}/imports?per_page=10`);
      return imports.find((one: { id: number }) => one.id === id);
    };
    const { affiliates: created, coupons, balance, records, files: names, state } = await listed();
    assert.deepEqual(
      { created, coupons, balance, records, names, state },
      {
        created: count,
        coupons: count,
        balance: count * 25,
        records: count * 20,
        names: ['many-sales.csv', 'many.csv'],
        state: 'done',
      },
    );
    // A later import uses the same accounts, so it is undone first.
    for (const other of later) await send('POST', `${STORE}/imports/${other}/undo`, {});
    await carryOutUndos.run(app.site);
    // By the screen: the request is answered at once, and a job does the work.
    const { state: begun } = await send('POST', `${STORE}/imports/${id}/undo`, {});
    assert.equal(begun, 'undoing');
    await carryOutUndos.run(app.site);
    assert.equal((await listed()).state, 'undone');
    assert.ok(!(await affiliates()).includes('p7'));
    assert.equal((await listed()).kept, 0);
    const again = await app.call(`${STORE}/imports/${id}/undo`, { method: 'POST', key: admin });
    assert.deepEqual([again.status, again.body.code], [409, 'svc_api_import_not_undoable']);
    assert.equal((await send('GET', `${STORE}/ledger/verify`)).ok, true);
  });
});
