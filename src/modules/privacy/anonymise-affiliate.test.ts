import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { sql } from 'kysely';
import { idOf, PASSWORD, refusal } from '../../../test/support/harness.ts';
import { keysOfTables } from '../../../test/support/key-columns.ts';
import { openPayoutApp, STORE } from '../../../test/support/payouts.ts';
import { query } from '../../db/statements/query.ts';
import { refreshRoster } from '../affiliates/list/refresh-roster.ts';
import { createApplicationPassword } from '../passwords/index.ts';
import { hashPassword, savePassword } from '../users/index.ts';

const payouts = await openPayoutApp({ settings: { 'payouts.details_hold_hours': 0 } });
const { app, admin } = payouts;
const { site } = app;

const person = {
  login: 'zquist',
  email: 'Zelda.Q@quistgaard.example',
  display_name: 'Zelda Quistgaard',
  /** A code stays, so it is not one of the traces. */
  coupon_code: 'NORTH10',
  website: 'https://zblog.example',
  promote: 'I write about fjords',
  referrer: 'my aunt Gerda',
  custom_fields: { vat: 'ATU99999999' },
};
const iban = 'NL91ABNA0417164300';
const oldAddress = 'zelda.before@quistgaard.example';
const traces = [
  person.login,
  'zelda',
  'quistgaard',
  iban,
  'zblog',
  'fjords',
  'gerda',
  'ATU99999999',
  'z-laptop',
].map((trace) => trace.toLowerCase());

const countDetails = query<{ user_id: number }, { rows: number }>((db, p) =>
  db
    .selectFrom('payout_details')
    .select((eb) => eb.fn.countAll<number>().as('rows'))
    .where('user_id', '=', p.user_id),
);
const send = async (method: string, path: string, json?: object, key = admin) => {
  const reply = await app.call(path, { method, key, ...(json && { json }) });
  assert.ok(reply.status < 300, `${method} ${path}: ${reply.text}`);
  return reply.body;
};
const anonymise = (id: number, login: string, key = admin) =>
  app.call(`${STORE}/affiliates/${id}/anonymise`, { method: 'POST', key, json: { login } });
const figuresOf = async (id: number) => {
  const [coupons, orders, ledger, summary] = await Promise.all(
    [
      `${STORE}/affiliates/${id}/balance`,
      `${STORE}/affiliates/${id}/orders`,
      `${STORE}/ledger/verify`,
      '/payouts',
    ].map((path) => send('GET', path)),
  );
  // The list of payouts shows the affiliate and the masked destination.
  return [
    coupons,
    orders,
    ledger,
    summary.map((payout: any) => [payout.id, payout.amount, payout.status]),
  ];
};

/** Where a trace of the person is stored: table, column and id or template. */
async function findTraces(): Promise<string[]> {
  const found = new Set<string>();
  // On PostgreSQL, reading the feed moves the events into their table.
  await send('GET', '/events');
  for (const name of (await keysOfTables(site.database)).keys()) {
    const all = query<object, Record<string, unknown>>((db) => ({
      compile: () => sql`select * from ${sql.table(name)}`.compile(db),
    }));
    for (const row of await site.database.read.all(all, {})) {
      const text = JSON.stringify(row).toLowerCase();
      if (!traces.some((trace) => text.includes(trace))) continue;
      found.add(
        name === 'outbox'
          ? `${name} ${String(row['template'])} to ${String(row['to_address'])}`
          : name,
      );
    }
  }
  return [...found].toSorted();
}

async function newAffiliate(): Promise<{ id: number; couponId: number }> {
  const json = { ...person, email: oldAddress };
  const { body } = await app.call(`${STORE}/registrations`, { method: 'POST', json });
  const { user, coupon_code } = await send('POST', `/registrations/${body.id}/status`, {
    status: 'accepted',
  });
  await send('PATCH', `${STORE}/affiliates/${user.id}`, {
    email: person.email,
    profile: { website: person.website, phone: 'gerda', custom_fields: person.custom_fields },
  });
  const { coupons } = await send('GET', `/affiliates/${user.id}`);
  assert.equal(coupons[0].code, coupon_code);
  return { id: user.id, couponId: coupons[0].id };
}

describe('erasing the personal data of an affiliate', () => {
  test('removes every trace and all access, and keeps orders, figures and the ledger', async () => {
    const { id, couponId } = await newAffiliate();
    const hash = await hashPassword(PASSWORD);
    await site.database.transaction((tx) => savePassword(tx, { id, password_hash: hash }));
    const session = await app.signIn(person.login);
    const { token } = await send('POST', '/keys', { user_id: id, description: 'z-laptop' });
    const basic = await createApplicationPassword(site, id, 'z-laptop');
    const totp = await app.call(`${STORE}/account/totp`, { method: 'POST', session });
    assert.ok(totp.status < 300, totp.text);
    const newEmail = { email: 'zelda.new@quistgaard.example' };
    const requested = await app.call(`${STORE}/account/email`, {
      method: 'POST',
      session,
      json: newEmail,
    });
    assert.ok(requested.status < 300, requested.text);
    for (const holder of ['Zelda Q.', person.display_name]) {
      await send('PUT', `${STORE}/affiliates/${id}/payout-details`, {
        method_type: 'banktransfer',
        details: { account_holder: holder, iban },
      });
    }
    const { code } = (await send('GET', `/coupons/${couponId}`)) as { code: string };
    const order = { status: 'processing', date: '2026-03-01', total: 1000, coupon_codes: [code] };
    await send('PUT', `${STORE}/orders/91`, order);

    const awaiting = await anonymise(id, person.login);
    assert.equal(refusal(awaiting), '409 svc_api_person_has_open_money');
    assert.ok(awaiting.body.data.pending_order_commission > 0);
    await send('PUT', `${STORE}/orders/91`, { ...order, status: 'completed' });
    const unpaid = await anonymise(id, person.login);
    assert.equal(refusal(unpaid), '409 svc_api_person_has_open_money');
    assert.ok(unpaid.body.data.unpaid_commission > 0);
    const payout = await send('POST', '/payouts', { coupon_id: couponId });
    const { body: open } = await anonymise(id, person.login);
    assert.equal(open.data.open_payouts, 1);
    assert.equal(open.data.pending_payout_commission, payout.amount);
    await send('POST', `/payouts/${payout.id}/status`, { status: 'paid' });

    const before = await figuresOf(id);
    const wrong = await anonymise(id, 'maya');
    assert.equal(refusal(wrong), '400 rest_invalid_param');
    assert.ok(wrong.body.data.params.login);
    assert.equal((await app.call('~/session', { session })).status, 200, 'nothing has changed');

    // The list of affiliates has the name from now on.
    await refreshRoster.run(site);
    const replies = await Promise.all([anonymise(id, person.login), anonymise(id, person.login)]);
    assert.deepEqual(replies.map(({ status }) => status).toSorted(), [200, 409]);
    assert.equal(refusal(await anonymise(id, person.login)), '409 svc_api_already_anonymised');
    const done = replies.find(({ status }) => status === 200)!.body;
    const name = `anonymised-${id}`;
    assert.deepEqual(done.user, { id, display_name: name, login: name, email: `${name}@invalid` });
    assert.equal(done.status, 'suspended');
    assert.equal(done.coupons[0].status, 'disabled');

    assert.deepEqual(await figuresOf(id), before);
    // Decision 28 names what remains: mails to the team, for thirty days.
    assert.deepEqual(await findTraces(), [
      'outbox payout-to-review to admin@test.example',
      'outbox registration-to-review to admin@test.example',
      'outbox registration-to-review to manager@test.example',
    ]);

    assert.equal((await app.call('/me', { key: token })).status, 401);
    assert.equal((await app.call('/me', { session })).status, 401);
    assert.equal(
      (await app.call('/me', { basic: `${person.login}:${basic.password}` })).status,
      401,
    );
    for (const login of [person.login, person.email, name, `${name}@invalid`]) {
      const reply = await app.call('~/session', {
        method: 'POST',
        json: { login, password: PASSWORD },
      });
      assert.equal(reply.status, 401, login);
    }
    const events = await send('GET', '/events?event=affiliate.anonymised');
    assert.deepEqual(
      events.map(({ data }: any) => data),
      [{ user_id: id }],
    );
  });

  test('leaves the login and the address free, and depends on no user who took the new ones', async () => {
    const taken = { login: 'anonymised-9999', email: 'anonymised-9999@invalid' };
    await send('POST', `${STORE}/affiliates`, taken);
    const { id } = await send('POST', `${STORE}/affiliates`, {
      login: person.login,
      email: person.email,
    });
    const impostor = { login: `anonymised-${id}`, email: `anonymised-${id}@invalid` };
    await send('POST', `${STORE}/affiliates`, impostor);
    assert.equal((await anonymise(id, person.login)).status, 200);
    for (const json of [{ profile: { phone: '1' } }, { status: 'active' }, {}]) {
      const reply = await app.call(`${STORE}/affiliates/${id}`, {
        method: 'PATCH',
        key: admin,
        json,
      });
      assert.equal(refusal(reply), '409 svc_api_already_anonymised');
    }
  });

  test('leaves nothing of changes that are made at the same time', async () => {
    for (let round = 0; round < 5; round++) {
      const login = `racer${round}`;
      const email = `${login}@test.example`;
      const { id } = await send('POST', `${STORE}/affiliates`, { login, email });
      const change = (method: string, path: string, json: object) =>
        app.call(`${STORE}/affiliates/${id}${path}`, { method, key: admin, json });
      const details = { account_holder: 'Zelda Racer', iban };
      const replies = await Promise.all([
        change('PUT', '/payout-details', { method_type: 'banktransfer', details }),
        change('PATCH', '', { display_name: 'Zelda Racer', profile: { phone: '1' } }),
        anonymise(id, login),
        change('PUT', '/payout-details', { method_type: 'banktransfer', details }),
        change('PATCH', '', { display_name: 'Zelda Racer' }),
      ]);
      assert.equal(replies[2].status, 200, replies[2].text);
      for (const reply of replies) {
        if (reply.status !== 200) assert.equal(refusal(reply), '409 svc_api_already_anonymised');
      }
      const { rows } = (await site.database.read.first(countDetails, { user_id: id }))!;
      assert.equal(rows, 0);
      const { user, profile } = await send('GET', `/affiliates/${id}`);
      assert.equal(user.display_name, `anonymised-${id}`);
      assert.doesNotMatch(JSON.stringify(profile), /1/);
      assert.equal(
        refusal(await change('PUT', '/payout-details', { method_type: 'banktransfer', details })),
        '409 svc_api_already_anonymised',
      );
    }
  });

  test('is for administrators with a recent proof, and not about the team', async () => {
    const maya = idOf('maya');
    const manager = await app.key('manager', 'read,write,manage');
    assert.equal(refusal(await anonymise(maya, 'maya', manager)), '403 svc_api_forbidden');
    await send('POST', `${STORE}/coupons`, { code: 'TEAM', user_id: idOf('manager') });
    assert.equal(
      refusal(await anonymise(idOf('manager'), 'manager')),
      '409 svc_api_person_in_team',
    );
    assert.equal(refusal(await anonymise(999_999, 'maya')), '404 svc_api_not_found');
    const session = await app.signIn('admin');
    app.advance(10 * 60_000);
    const json = { login: 'maya' };
    const stale = await app.call(`${STORE}/affiliates/${maya}/anonymise`, {
      method: 'POST',
      session,
      json,
    });
    assert.equal(refusal(stale), '403 svc_api_proof_required');
  });
});
