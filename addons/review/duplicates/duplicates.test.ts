import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { openPayoutApp, STORE } from '../../../test/support/payouts.ts';

const payouts = await openPayoutApp({ settings: { 'payouts.details_required': false } });
const { app, admin } = payouts;

async function send(method: string, path: string, json?: unknown) {
  const reply = await app.call(STORE + path, { method, key: admin, json });
  assert.ok(reply.status < 300, reply.text);
  return reply.body;
}

let people = 0;

/** An affiliate with money to be paid, to this account if one is given. */
async function join({ iban, email }: { iban?: string; email?: string } = {}) {
  const login = `dup${++people}`;
  const { id } = await send('POST', '/affiliates', {
    login,
    email: email ?? `${login}@shop.example`,
  });
  if (iban !== undefined) {
    const details = { account_holder: 'Ann Lee', iban };
    const json = { method_type: 'banktransfer', details };
    await send('PUT', `/affiliates/${id}/payout-details`, json);
  }
  return { id: id as number, couponId: await payouts.coupon(50, id) };
}

async function request(couponId: number): Promise<number> {
  const { status, body, text } = await payouts.request(couponId);
  assert.ok(status < 300, text);
  return body.id;
}

const change = (action: string) => send('PATCH', '/review/rules/duplicate_affiliates', { action });
const casesOf = (id: number) => send('GET', `/cases?affiliate_id=${id}`);
const approve = (payoutId: number) => payouts.select(payoutId, 'created');
const IN_REVIEW = 'svc_api_payout_in_review';

const IBANS = ['NL91ABNA0417164300', 'GB29NWBK60161331926819', 'FR1420041010050500013M02606'];

afterEach(() => change('hold'));

test('the first payout to the account of another affiliate is not sent until the case is cleared', async () => {
  const [iban] = IBANS;
  const first = await join({ iban: iban! });
  await join({ iban: IBANS[1]! });
  const second = await join({ iban: iban! });
  const payoutId = await request(second.couponId);
  const [found, ...more] = await casesOf(second.id);
  assert.deepEqual(more, []);
  assert.deepEqual([found.rule, found.state], ['duplicate_affiliates', 'open']);
  assert.deepEqual(found.subject, { type: 'affiliate', id: second.id });
  assert.equal(
    found.reason,
    `The affiliate with the number ${first.id} is paid to the same account.`,
  );
  assert.ok(!JSON.stringify(found).includes(iban!.slice(-6)), 'the account is not named');
  const [own] = await send('GET', `/affiliates/${second.id}/cases`);
  assert.equal(own.id, found.id, 'the affiliate reads that the account is checked');
  assert.ok(!('reason' in own) && !('evidence' in own), 'and not what was found');
  assert.equal(await approve(payoutId), IN_REVIEW);

  await send('POST', `/cases/${found.id}/decide`, { decision: 'clear' });
  // The pair is known: another request reports nothing.
  assert.equal((await payouts.change(payoutId, 'cancel')).status, 200);
  const again = await request(second.couponId);
  assert.equal((await casesOf(second.id)).length, 1);
  assert.equal(await approve(again), null);
  // Nor does a later payout.
  await payouts.change(again, 'paid');
  await payouts.earn(second.couponId, 10);
  assert.equal(await approve(await request(second.couponId)), null);
});

test('another affiliate with the same account is reported after one was cleared', async () => {
  const iban = IBANS[2]!;
  const first = await join({ iban });
  const second = await join({ iban });
  await request(second.couponId);
  const [found] = await casesOf(second.id);
  await send('POST', `/cases/${found.id}/decide`, { decision: 'clear' });
  const third = await join({ iban });
  await request(await payouts.coupon(20, second.id));
  const reasons = (await casesOf(second.id)).map(({ reason }: { reason: string }) => reason);
  assert.deepEqual(
    new Set(reasons),
    new Set(
      [first, third].map(
        ({ id }) => `The affiliate with the number ${id} is paid to the same account.`,
      ),
    ),
  );
});

test('rejected, no payout is sent, however often it is requested', async () => {
  const first = await join({ email: 'rosa.lima@mail.shop' });
  await change('reject');
  const second = await join({ email: 'Rosa.Lima+two@mail.shop' });
  const payoutId = await request(second.couponId);
  const [found] = await casesOf(second.id);
  assert.deepEqual(
    [found.state, found.reason],
    ['rejected', `The affiliate with the number ${first.id} has the same mailbox.`],
  );
  assert.equal(await approve(payoutId), IN_REVIEW);
  await payouts.change(payoutId, 'cancel');
  const again = await request(second.couponId);
  assert.equal((await casesOf(second.id)).length, 1);
  assert.equal(await approve(again), IN_REVIEW);
  await send('POST', `/cases/${found.id}/reopen`);
  assert.equal(await approve(again), IN_REVIEW);
  await send('POST', `/cases/${found.id}/decide`, { decision: 'clear' });
  assert.equal(await approve(again), null);
});

test('a note opens a case and holds nothing, and off leaves nothing', async () => {
  await change('note');
  await join({ email: 'max@mail.shop' });
  const noted = await join({ email: 'max+1@mail.shop' });
  assert.equal(await approve(await request(noted.couponId)), null);
  assert.equal((await casesOf(noted.id)).length, 1);
  await change('off');
  const left = await join({ email: 'max+2@mail.shop' });
  assert.equal(await approve(await request(left.couponId)), null);
  assert.deepEqual(await casesOf(left.id), []);
});

test('two coupons that are paid at once have one case', async () => {
  await join({ email: 'kim@mail.shop' });
  const { id, couponId } = await join({ email: 'kim+x@mail.shop' });
  const coupons = [couponId, await payouts.coupon(30, id), await payouts.coupon(40, id)];
  const opened = await Promise.all(coupons.map(request));
  assert.equal((await casesOf(id)).length, 1);
  for (const payoutId of opened) assert.equal(await approve(payoutId), IN_REVIEW);
});

test('the mailbox of an application is recognized with other dots', async () => {
  const applicants = ['jo.hannsen@gmail.com', 'johann.sen@googlemail.com'];
  const ids: number[] = [];
  for (const [i, email] of applicants.entries()) {
    const login = `jo${i}`;
    const json = { login, email, display_name: login };
    const { body, text } = await app.call(`${STORE}/registrations`, { method: 'POST', json });
    assert.ok(body.id, text);
    await send('POST', `/registrations/${body.id}/accept`, {});
    ids.push(body.user.id);
  }
  await request(await payouts.coupon(50, ids[1]));
  const [found] = await casesOf(ids[1]!);
  assert.equal(found.reason, `The affiliate with the number ${ids[0]} has the same mailbox.`);
});

test('a trial counts the affiliates and what they have to be paid', async () => {
  const tried = () => send('POST', '/review/rules/duplicate_affiliates/try', {});
  const before = await tried();
  await join({ email: 'zed@mail.shop' });
  await join({ email: 'zed+2@mail.shop' });
  const { orders, amount, affiliates } = await tried();
  assert.deepEqual([orders, amount - before.amount, affiliates - before.affiliates], [0, 100, 2]);
});

/** An affiliate who applied with the form, from this network and with this cookie of an earlier application. */
async function apply(address: string, cookie?: string) {
  const login = `dup${++people}`;
  const { status, headers } = await app.call('~/apply', {
    method: 'POST',
    form: `login=${login}&email=${login}@${login}.example&display_name=${login}`,
    headers: { 'X-Forwarded-For': address, ...(cookie && { cookie }) },
  });
  assert.equal(status, 201);
  const [{ user }] = await send('GET', `/registrations?search=${login}`);
  const couponId = await payouts.coupon(50, user.id);
  return { id: user.id as number, couponId, set: headers.get('set-cookie')! };
}

test('affiliates who applied with the same browser in the same network are reported', async () => {
  await app.set({ 'registrations.open': true, 'registrations.auto_accept': true });
  const first = await apply('198.51.100.7');
  assert.match(first.set, /^__Host-tributary_applicant=\w{22};.*HttpOnly/);
  const cookie = first.set.split(';')[0]!;
  const second = await apply('198.51.100.9', cookie);
  await request(second.couponId);
  const [found] = await casesOf(second.id);
  const sentence = `The affiliate with the number ${first.id} applied with the same browser in the same network.`;
  assert.equal(found.reason, sentence);
  const tried = await send('POST', '/review/rules/duplicate_affiliates/try', {});
  assert.ok(tried.affiliates >= 2, JSON.stringify(tried));

  // A household shares a network, and a computer is carried from one network to another.
  const neighbour = await apply('198.51.100.7');
  const elsewhere = await apply('203.0.113.7', cookie);
  for (const one of [neighbour, elsewhere]) {
    await request(one.couponId);
    assert.deepEqual(await casesOf(one.id), []);
  }
});
