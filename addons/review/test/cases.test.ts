import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { invoke } from '../../../src/kernel/call/invoke.ts';
import { createKey } from '../../../src/modules/keys/index.ts';
import { DAY_MS } from '../../../src/shared/durations.ts';
import { outbox } from '../../../test/support/outbox.ts';
import { openPayoutApp, STORE } from '../../../test/support/payouts.ts';
import { remindOfCases } from '../remind-of-cases.ts';

const payouts = await openPayoutApp();
const { app, admin } = payouts;

const call = (method: string, path: string, json?: unknown, key = admin) =>
  app.call(STORE + path, { method, key, json });

async function send(method: string, path: string, json?: unknown, key = admin) {
  const reply = await call(method, path, json, key);
  assert.ok(reply.status < 300, reply.text);
  return reply.body;
}

let count = 0;

/** A new affiliate whose order is held, with its key. */
async function hold() {
  const number = ++count;
  const login = `bea${number}`;
  const { id } = await send('POST', '/affiliates', { login, email: `${login}@acme.shop` });
  const coupon = await send('POST', '/coupons', { code: login, user_id: id });
  await send('PUT', `/orders/${number}`, {
    date: app.site.calendar.toLocal(app.site.clock()),
    status: 'completed',
    total: 100,
    coupon_codes: [login],
    customer: { email: 'customer@acme.shop' },
  });
  const [found] = await send('GET', `/cases?state=open&affiliate_id=${id}`);
  const scopes = 'read,write';
  const { token } = await invoke<{ token: string }>(app.site, createKey, { user_id: id, scopes });
  return { id, login, couponId: coupon.id as number, caseId: found.id as number, key: token };
}

const mailsOf = async (template: string) =>
  (await outbox(app.site)).filter((mail) => mail.template === template);

before(() => send('PATCH', '/review/rules/same_people', { action: 'hold' }));

const pdf = Buffer.from('%PDF-1.7\nInvoice\n%%EOF').toString('base64');

describe('an affiliate', () => {
  test('gets a mail, sees the case without its evidence, and answers once', async () => {
    const { id, caseId, key } = await hold();
    assert.equal((await mailsOf('case-opened')).length, 1);
    const [own] = await send('GET', `/affiliates/${id}/cases`, undefined, key);
    assert.deepEqual([own.id, own.held, own.may_answer], [caseId, 10, true]);
    assert.ok(!('evidence' in own) && !('reason' in own));
    const answered = await send('POST', `/cases/${caseId}/answer`, { text: 'A colleague.' }, key);
    assert.deepEqual([answered.answer, answered.may_answer], ['A colleague.', false]);
    const again = await call('POST', `/cases/${caseId}/answer`, { text: 'And?' }, key);
    assert.deepEqual([again.status, again.body.code], [409, 'svc_api_already_answered']);
    const { answer, history } = await send('GET', `/cases/${caseId}`);
    assert.equal(answer, 'A colleague.');
    assert.deepEqual(
      history.map((entry: any) => entry.action),
      ['opened', 'answered'],
    );
  });

  test('has its answer first in the list of open cases, and counted as a need of the team', async () => {
    const need = async () => {
      const { needs } = await send('GET', '/overview');
      return needs.find(({ name }: any) => name === 'cases_answered')?.count ?? 0;
    };
    const first = async () => (await send('GET', '/cases?state=open&sort=answered'))[0];
    const asked = await hold();
    await hold();
    const answeredBefore = await need();
    for (let answered = await first(); answered.answer !== null; answered = await first())
      await send('POST', `/cases/${answered.id}/decide`, { decision: 'clear' });
    assert.notEqual((await first()).id, asked.caseId);
    await send('POST', `/cases/${asked.caseId}/answer`, { text: 'A friend.' }, asked.key);
    assert.equal((await first()).id, asked.caseId);
    assert.ok(answeredBefore > 0);
    assert.equal(await need(), 1);
    await send('POST', `/cases/${asked.caseId}/decide`, { decision: 'clear' });
    assert.equal(await need(), 0);
  });

  test('sends a file with the answer, which only the team reads', async () => {
    const { caseId, key } = await hold();
    const path = `/cases/${caseId}/answer`;
    for (const [content, reason] of [
      ['<svg onload="x">', 'is a page or a drawing'],
      ['hello', 'is none of'],
      [`%PDF-${'x'.repeat(10_000_000)}%%EOF`, 'is larger than 10 MB'],
    ] as const) {
      const form = new FormData();
      form.append('text', 'x');
      form.append('file', new Blob([content]), 'a.pdf');
      const refused = await app.call(STORE + path, { method: 'POST', key, form });
      assert.equal(refused.status, 400);
      assert.equal(refused.body.data.bytes_max, reason.endsWith('MB') ? 10_000_000 : undefined);
      assert.match(JSON.stringify(refused.body.data.params), new RegExp(`file.*${reason}`));
    }
    const folder = { name: '../a.pdf', content: pdf };
    assert.equal((await call('POST', path, { text: 'x', file: folder }, key)).status, 400);
    const file = { name: 'invoice\u202efdp.pdf.html', content: pdf };
    const answered = await send('POST', path, { text: 'See the invoice.', file }, key);
    const kept = { name: 'invoicefdp.pdf.pdf', type: 'application/pdf', size: 22 };
    assert.deepEqual(answered.answer_file, kept);
    const { headers, text } = await call('GET', `/cases/${caseId}/file`);
    assert.equal(headers.get('content-disposition'), `attachment; filename="${kept.name}"`);
    assert.equal(btoa(text), pdf);
    assert.equal((await call('GET', `/cases/${caseId}/file`, undefined, key)).status, 403);
    const other = await hold();
    assert.equal((await call('GET', `/cases/${other.caseId}/file`)).status, 404);
  });

  test('sees no case of others, and decides none', async () => {
    const { id, caseId } = await hold();
    const { key } = await hold();
    assert.equal((await call('GET', `/affiliates/${id}/cases`, undefined, key)).status, 404);
    assert.equal((await call('POST', `/cases/${caseId}/answer`, { text: 'x' }, key)).status, 404);
    assert.equal((await call('GET', '/cases', undefined, key)).status, 403);
    const decision = { decision: 'clear' };
    assert.equal((await call('POST', `/cases/${caseId}/decide`, decision, key)).status, 403);
  });

  test('reads the note of a decision, unless the team chose not to tell', async () => {
    const told = await hold();
    const silent = await hold();
    const note = 'Not allowed.';
    const earlier = (await mailsOf('case-decided')).length;
    await send('POST', `/cases/${told.caseId}/decide`, { decision: 'reject', note });
    await send('POST', `/cases/${silent.caseId}/decide`, { decision: 'reject', note, tell: false });
    assert.equal((await mailsOf('case-decided')).length, earlier + 1);
    const read = async ({ id, key }: typeof told) =>
      (await send('GET', `/affiliates/${id}/cases`, undefined, key))[0].note;
    assert.equal(await read(told), note);
    assert.equal(await read(silent), '');
    const [order] = await send('GET', `/affiliates/${told.id}/orders`, undefined, told.key);
    assert.deepEqual([order.state, order.reason], ['nothing', 'rejected']);
  });
});

describe('the team', () => {
  test('reads its own word for affiliates, in its language', async () => {
    const { caseId } = await hold();
    await app.set({ 'site.affiliate_word': 'ambassador' });
    const read = async (path: string) => {
      const headers = { 'Accept-Language': 'de' };
      return (await app.call(STORE + path, { key: admin, headers })).body;
    };
    const { reason } = await read(`/cases/${caseId}`);
    assert.equal(reason, 'Kunde und Botschafter haben beide ein Postfach bei acme.shop.');
    const rules: { sentence: string }[] = await read('/review/rules');
    const sentences = rules.map(({ sentence }) => sentence).join(' ');
    assert.match(sentences, /Zwei Botschafter sind eine Person: .* eines Botschafters /);
    assert.doesNotMatch(sentences, /Partner|Affiliate|[{}]/);
    await app.set({ 'site.affiliate_word': 'affiliate' });
  });

  test('decides many at once, each by itself', async () => {
    const first = await hold();
    const second = await hold();
    await send('POST', `/cases/${first.caseId}/decide`, { decision: 'clear' });
    const ids = [first.caseId, second.caseId, 999_999];
    const { items } = await send('POST', '/cases/decide', { ids, decision: 'clear' });
    assert.deepEqual(
      items.map(({ ok, error }: any) => error?.code ?? ok),
      ['svc_api_case_decided', true, 'svc_api_not_found'],
    );
  });

  test('suspends the affiliate with a rejection, and an undo ends that', async () => {
    const { id, caseId } = await hold();
    await send('POST', `/cases/${caseId}/decide`, { decision: 'suspend', note: 'Fraud.' });
    const statusNow = async () => (await app.call(`/affiliates/${id}`, { key: admin })).body.status;
    assert.equal(await statusNow(), 'suspended');
    await send('POST', `/cases/${caseId}/reopen`);
    assert.equal(await statusNow(), 'active');
  });

  test('cannot undo a decision after 30 days', async () => {
    const { caseId } = await hold();
    await send('POST', `/cases/${caseId}/decide`, { decision: 'clear' });
    app.advance(31 * DAY_MS);
    const { status, body } = await call('POST', `/cases/${caseId}/reopen`);
    assert.deepEqual([status, body.code], [409, 'svc_api_undo_too_late']);
  });

  test('is reminded once of a case that stays open; nothing is paid by silence', async () => {
    const { couponId } = await hold();
    app.advance(15 * DAY_MS);
    const earlier = (await mailsOf('cases-open')).length;
    await remindOfCases.run(app.site);
    await remindOfCases.run(app.site);
    assert.equal((await mailsOf('cases-open')).length, earlier + 1);
    const { body } = await app.call(`/coupons/${couponId}`, { key: admin });
    assert.equal(body.unpaid_commission, 0);
  });

  test('may choose that such a case is decided', async () => {
    await app.set({ 'review.after': 'clear' });
    const { caseId, couponId } = await hold();
    app.advance(15 * DAY_MS);
    await remindOfCases.run(app.site);
    const { state, decided_by } = await send('GET', `/cases/${caseId}`);
    assert.deepEqual([state, decided_by], ['cleared', 0]);
    const { body } = await app.call(`/coupons/${couponId}`, { key: admin });
    assert.equal(body.unpaid_commission, 10);
    await app.set({ 'review.after': 'remind' });
  });

  test('an undone decision waits for a person again: as long as a new case', async () => {
    await app.set({ 'review.after': 'reject' });
    const { caseId, couponId } = await hold();
    const stateOf = async () => (await send('GET', `/cases/${caseId}`)).state;
    app.advance(15 * DAY_MS);
    await remindOfCases.run(app.site);
    assert.equal(await stateOf(), 'rejected');
    await send('POST', `/cases/${caseId}/reopen`);
    app.advance(13 * DAY_MS);
    await remindOfCases.run(app.site);
    assert.equal(await stateOf(), 'open');
    app.advance(2 * DAY_MS);
    await remindOfCases.run(app.site);
    assert.equal(await stateOf(), 'rejected');
    await app.set({ 'review.after': 'remind' });
    await send('POST', `/cases/${caseId}/reopen`);
    const earlier = (await mailsOf('cases-open')).length;
    app.advance(15 * DAY_MS);
    await remindOfCases.run(app.site);
    assert.equal((await mailsOf('cases-open')).length, earlier + 1);
    await send('POST', `/cases/${caseId}/decide`, { decision: 'clear' });
    assert.equal(
      (await app.call(`/coupons/${couponId}`, { key: admin })).body.unpaid_commission,
      10,
    );
  });

  test('reads the cases of a person in the export, and erases the evidence with the person', async () => {
    const { id, login, caseId, key } = await hold();
    const file = { name: 'joe.pdf', content: pdf };
    await send('POST', `/cases/${caseId}/answer`, { text: 'My neighbour Joe.', file }, key);
    const refused = await call('POST', `/affiliates/${id}/anonymise`, { login });
    assert.equal(refused.body.data.open_cases, 1);
    await send('POST', `/cases/${caseId}/decide`, { decision: 'reject', note: 'Joe again.' });
    const exported = await send('GET', `/affiliates/${id}/person`);
    assert.equal(exported.data.cases[0].answer, 'My neighbour Joe.');
    assert.equal(JSON.parse(exported.data.cases[0].answer_file).name, 'joe.pdf');
    assert.deepEqual(
      exported.data.files.map((one: any) => one.name),
      ['joe.pdf'],
    );
    await send('POST', `/affiliates/${id}/anonymise`, { login });
    const erased = await send('GET', `/cases/${caseId}`);
    assert.deepEqual([erased.answer, erased.note, erased.evidence], [null, '', []]);
    assert.equal(erased.answer_file, null);
    assert.equal((await call('GET', `/cases/${caseId}/file`)).status, 404);
    assert.equal(erased.reason, 'The evidence was removed with the personal data.');
  });
});
