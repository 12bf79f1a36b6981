import assert from 'node:assert/strict';
import { unsubscribeUrl } from '../../src/modules/mail/unsubscribe-token.ts';
import { statusTokenOf } from '../../src/modules/registrations/status-token.ts';
import { withAddons } from '../support/addon-facts.ts';
import { bankDetails } from '../support/payouts.ts';
import { accountCases } from './account-cases.ts';
import { MANY_ROWS } from './fill.ts';
import { METRICS_TOKEN, STORE, type FilledStore } from './filled-store.ts';
import { formOf, type Case } from './request.ts';

function unsubscribeToken({ site }: FilledStore['app'], userId: number): string {
  const url = unsubscribeUrl(site, { userId, notice: 'earned', source: 'test-1' });
  return url.slice(url.lastIndexOf('/') + 1);
}

const mailText: Case = () => ({ params: { name: 'payout-paid', language: 'en' } });
const pending: Case = (row, { db }) => {
  db.exec(`update registrations set status = 'pending' where id = ${row};
    update users set role = 'customer' where id = ${row}`);
  return {};
};

/** Makes the affiliate ready to be paid: the details of the row itself cannot be decrypted. */
async function payable(row: number, store: FilledStore): Promise<void> {
  store.db.exec(`delete from payout_details where user_id = ${row}`);
  const path = `${STORE}/affiliates/${row}/payout-details`;
  const { status, text } = await store.call(path, { method: 'PUT', json: bankDetails });
  assert.equal(status, 200, text);
}

async function payout(row: number, store: FilledStore, status?: string): Promise<number> {
  await payable(row, store);
  const json = { coupon_id: row };
  const { body, text } = await store.call('/svc/v2/payouts', { method: 'POST', json });
  assert.ok(body.id, text);
  if (status !== undefined)
    store.db.exec(`update payouts set status = '${status}' where id = ${body.id}`);
  return body.id;
}

const ofPayout =
  (json: unknown, status?: string): Case =>
  async (row, store) => ({ params: { id: await payout(row, store, status) }, json });

const newUser = (login: string) => ({ login, email: `${login}@shop.example`, display_name: login });

/** A week in which a store of any size has the same rows. */
const lastWeek: Case = (_row, { app }) => {
  const day = (daysAgo: number) =>
    new Date(app.site.clock() - daysAgo * 86_400_000).toISOString().slice(0, 10);
  return { query: { from: day(7), to: day(0) } };
};

/** A reward rule of its own, because there are no others. */
const rewardRule = async (store: FilledStore) => {
  const json = { rate: { percent: 12 } };
  const { body } = await store.call(`${STORE}/rewards/rules`, { method: 'POST', json });
  return { params: { id: (body as { id: number }).id } };
};

/** The customer of an order, who stays with an affiliate. */
const customerOf = (row: number, { db }: FilledStore) => {
  db.exec(`insert into lifetime_customers (customer_hash, coupon_id) values ('of ${row}', ${row});
    update orders set customer_hash = 'of ${row}' where order_id = ${row}`);
  return { params: { order_id: row } };
};

const bonus = { name: 'Autumn', target: { event: 'accepted' }, pays: { amount: 5 } };

/** A bonus of its own, because there are no others. */
const rewardBonus = async (store: FilledStore) => {
  const { body } = await store.call(`${STORE}/rewards/bonuses`, { method: 'POST', json: bonus });
  return { params: { id: (body as { id: number }).id } };
};

/** A week in which a store of any size has no orders; only one dry run at a time is allowed. */
const trialOf = ({ app, db }: FilledStore) => {
  db.exec('delete from reward_trials');
  const day = (daysAgo: number) =>
    new Date(app.site.clock() - daysAgo * 86_400_000).toISOString().slice(0, 10);
  return { json: { from: day(607), to: day(600) } };
};
const rewardTrial: Case = async (_row, store) => {
  const { json } = trialOf(store);
  const { body } = await store.call(`${STORE}/rewards/dry-run`, { method: 'POST', json });
  return { params: { id: (body as { id: number }).id } };
};

const order = (code: string) => ({
  date: '2026-03-01T10:00:00',
  status: 'completed',
  total: 50,
  coupon_codes: [code],
});

/** Calls for which the contract alone does not say enough. */
const ownCases: Readonly<Record<string, Case>> = {
  ...accountCases,
  'POST /svc/store/v1/cases/{id}/decide': (row, { db }) => {
    db.exec(`update review_cases set state = 'open' where id = ${row}`);
    return { json: { decision: 'clear' } };
  },
  'POST /svc/store/v1/cases/{id}/reopen': (row, { app, db }) => {
    db.exec(`update review_cases set decided_at = ${app.site.clock()} where id = ${row}`);
    return {};
  },
  // The filled store has no files of answers.
  'GET /svc/store/v1/cases/{id}/file': () => ({ refusal: 404 }),
  // Only the affiliate whom it concerns can answer.
  'POST /svc/store/v1/cases/{id}/answer': () => ({ refusal: 404 }),
  'DELETE /svc/store/v1/mails/{name}/{language}': mailText,
  'DELETE /svc/store/v1/rewards/bonuses/{id}': (_row, store) => rewardBonus(store),
  'DELETE /svc/store/v1/rewards/dry-run/{id}': rewardTrial,
  'GET /svc/store/v1/rewards/dry-run/{id}': rewardTrial,
  'POST /svc/store/v1/rewards/dry-run': (_row, store) => trialOf(store),
  'DELETE /svc/store/v1/rewards/rules/{id}': (_row, store) => rewardRule(store),
  'GET /files/{file}': (row) => ({
    params: { file: `${row.toString(16).padStart(40, '0')}.pdf` },
    refusal: 404,
  }),
  'GET /app/brand/{file}': () => ({ params: { file: 'logo.svg' }, refusal: 404 }),
  'GET /app/files/{file}': () => ({ refusal: 404 }),
  'GET /app/{screen}': () => ({ params: { screen: 'orders' } }),
  'GET /apply/status': (row, { app }) => ({ query: { token: statusTokenOf(app.site, row) } }),
  'GET /console/{screen}': () => ({ params: { screen: 'orders' } }),
  'GET /console/{screen}/{id}': () => ({ params: { screen: 'orders' } }),
  'GET /app/screens/{file}': () => ({ refusal: 404 }),
  'GET /help/{guide}': () => ({ params: { guide: 'rewards' } }),
  'GET /help/{guide}.md': () => ({ params: { guide: 'rewards' } }),
  'GET /unsubscribe/{token}': (row, { app }) => ({ params: { token: unsubscribeToken(app, row) } }),
  'POST /unsubscribe/{token}': (row, { app }) => ({
    params: { token: unsubscribeToken(app, row) },
  }),
  'GET /metrics': () => ({ headers: { authorization: `Bearer ${METRICS_TOKEN}` } }),
  'GET /r/{code}': (row) => ({ params: { code: `CODE${row}` } }),
  'GET /with/{code}': (row, { db }) => {
    db.exec(`update coupons set status = 'active' where id = ${row}`);
    return { params: { code: `CODE${row}` } };
  },
  'GET /with/{code}/picture': (row) => ({
    params: { code: `CODE${row}` },
    query: { v: 1 },
    refusal: 404,
  }),
  'GET /svc/store/v1/affiliates/{id}/payout-details': async (row, store) => {
    await payable(row, store);
    return {};
  },
  'GET /svc/store/v1/affiliates/{id}/person': (row, { db }) => {
    db.exec(`delete from payout_details where user_id = ${row}`);
    return {};
  },
  'GET /svc/store/v1/clicks/landing-pages': lastWeek,
  'GET /svc/store/v1/mails/{name}/{language}': mailText,
  'GET /svc/store/v1/payouts/files/{id}': async (row, store) => {
    const ids = [await payout(row, store, 'created')];
    const json = { format: 'sepa', ids };
    const { body } = await store.call(`${STORE}/payouts/files`, { method: 'POST', json });
    return { params: { id: body.id } };
  },
  'GET /svc/v2/clicks/stats': lastWeek,
  'POST /apply': (row) => ({
    form: formOf(newUser(`form${row}`)),
  }),
  'POST /svc/store/v1/affiliates': (row) => ({ json: newUser(`affiliate${row}`) }),
  'POST /svc/store/v1/affiliates/batch': (row) => ({ json: { ids: [row], status: 'suspended' } }),
  'POST /svc/store/v1/affiliates/{id}/anonymise': (row, { db }) => {
    db.exec(`update coupons set unpaid = 0 where id = ${row}`);
    return { json: { login: `user${row}` } };
  },
  'POST /svc/store/v1/mails/{name}/{language}/preview': mailText,
  'POST /svc/store/v1/mails/{name}/{language}/test': mailText,
  'POST /svc/store/v1/groups': (row) => ({ json: { name: `Group ${row}` } }),
  // Enough of them that the codes are looked for as a list.
  'POST /svc/store/v1/orders/batch': (row) => ({
    json: {
      orders: Array.from({ length: 10 }, (_, i) => ({
        order_id: 10 * MANY_ROWS + 10 * row + i,
        ...order(`CODE${row - i}`),
      })),
    },
  }),
  'POST /svc/store/v1/outbox/{id}/retry': (row, { db }) => {
    db.exec(`update outbox set state = 'failed' where id = ${row}`);
    return {};
  },
  'POST /svc/store/v1/payouts/batch': async (row, store) => ({
    json: { ids: [await payout(row, store)], status: 'created' },
  }),
  'POST /svc/store/v1/payouts/files': async (row, store) => ({
    json: { format: 'sepa', ids: [await payout(row, store, 'created')] },
  }),
  'POST /svc/store/v1/payouts/{id}/retry': async (row, store) => {
    const id = await payout(row, store, 'failed');
    store.db.exec(
      `update coupons set unpaid = pending_payout, pending_payout = 0 where id = ${row}`,
    );
    return { params: { id } };
  },
  'POST /svc/store/v1/registrations': (row) => ({
    isAnonymous: true,
    json: newUser(`applicant${row}`),
  }),
  'POST /svc/store/v1/registrations/batch': async (row, store) => {
    await pending(row, store);
    return { json: { ids: [row], status: 'accepted' } };
  },
  'POST /svc/store/v1/registrations/{id}/accept': pending,
  'POST /svc/store/v1/registrations/{id}/decline': pending,
  'POST /svc/store/v1/withdrawals': async (row, store) => {
    await payable(row, store);
    return { json: { coupon_ids: [row] } };
  },
  'POST /svc/v2/payouts': async (row, store) => {
    await payable(row, store);
    return { json: { coupon_id: row } };
  },
  'POST /svc/v2/payouts/{id}/status': ofPayout({ status: 'created' }),
  'POST /svc/v2/registrations/{id}/status': pending,
  'POST /svc/store/v1/rewards/bonuses': () => ({ json: bonus }),
  'PATCH /svc/store/v1/rewards/bonuses/{id}': async (_row, store) => ({
    ...(await rewardBonus(store)),
    json: { pays: { amount: 6 } },
  }),
  'PATCH /svc/store/v1/rewards/rules/{id}': async (_row, store) => ({
    ...(await rewardRule(store)),
    json: { rate: { percent: 15 } },
  }),
  'PUT /svc/store/v1/affiliates/{id}/payout-details': (row, { db }) => {
    db.exec(`delete from payout_details where user_id = ${row}`);
    return { json: bankDetails };
  },
  'PUT /svc/store/v1/mails/{name}/{language}': () => ({
    params: { name: 'payout-paid', language: 'en' },
    json: { subject: 'Paid', text: 'Paid.' },
  }),
  // All rules, and the contract alone names one that does not exist.
  'PUT /svc/store/v1/rewards/rules/order': async (_row, store) => {
    const { body } = await store.call(`${STORE}/rewards/rules`, {});
    const ids = body.rules.map(({ id }: { id: number }) => id);
    return { json: { ids, version: body.version } };
  },
  'PUT /svc/store/v1/orders/{order_id}/customer': (row, store) => ({
    ...customerOf(row, store),
    json: { user_id: row },
  }),
  'DELETE /svc/store/v1/orders/{order_id}/customer': customerOf,
  'PUT /svc/store/v1/orders/{order_id}': (row) => ({
    params: { order_id: row },
    json: order(`CODE${row}`),
  }),
};

export const cases = withAddons(ownCases, (facts) => facts.growthCases);
