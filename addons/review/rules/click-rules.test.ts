import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { openTestApp } from '../../../test/support/harness.ts';
import { statementsOf } from '../../../test/support/statements.ts';
import { isBanned } from '../clicks/banned-hosts.ts';

const app = await openTestApp();
const admin = await app.key('admin', 'read,write,manage');

async function send(method: string, path: string, json?: unknown) {
  const reply = await app.call(`/svc/store/v1${path}`, { method, key: admin, json });
  assert.ok(reply.status < 300, reply.text);
  return reply.body;
}

const change = (rule: string, options: object) => send('PATCH', `/review/rules/${rule}`, options);

let made = 0;
let affiliate: { id: number; code: string };

async function newAffiliate() {
  const login = `ads${++made}`;
  const { id } = await send('POST', '/affiliates', { login, email: `${login}@test.example` });
  await send('POST', '/coupons', { code: login, user_id: id });
  return { id: id as number, code: login };
}

async function click(fields: object = {}): Promise<number> {
  const { ids } = await send('POST', '/clicks', { code: affiliate.code, ...fields });
  return ids[0];
}

function put(fields: object) {
  const date = app.site.calendar.toLocal(app.site.clock());
  return send('PUT', `/orders/${++made}`, { date, status: 'completed', total: 100, ...fields });
}

async function cases() {
  const found = await send('GET', `/cases?affiliate_id=${affiliate.id}`);
  return found.map((one: { rule: string; reason: string; held: number }) => [
    one.rule,
    one.reason,
    one.held,
  ]);
}

const ad = { landing: 'https://store.example/?gclid=secret&wbraid=x&fbclid=1' };
const deals = { referrer: 'https://www.deals.example/codes' };

beforeEach(async () => {
  affiliate = await newAffiliate();
});

describe('paid_ads', () => {
  test('notes an order that a click from an ad led to, by the names of its parameters', async () => {
    await put({ click_id: await click(ad) });
    assert.deepEqual(await cases(), [
      ['paid_ads', 'The visitor came with parameters of ads: gclid, wbraid.', 0],
    ]);
  });

  test('sees the click of an order that also has the code', async () => {
    await put({ click_id: await click(ad), coupon_codes: [affiliate.code] });
    assert.equal((await cases()).length, 1);
  });

  test('sees the last click of the visitor in a batch of orders', async () => {
    await click({ ...ad, visitor: 'ads-visitor' });
    const date = app.site.calendar.toLocal(app.site.clock());
    const order = { date, status: 'completed', total: 100 };
    const orders = [
      { ...order, order_id: ++made, visitor: 'ads-visitor' },
      { ...order, order_id: ++made, coupon_codes: [affiliate.code] },
    ];
    await send('POST', '/orders/batch', { orders });
    assert.equal((await cases()).length, 1);
  });

  test('leaves out campaigns that may be advertised, whatever their case', async () => {
    await change('paid_ads', { campaigns: ['Spring mail'] });
    await put({ click_id: await click({ ...ad, campaign: 'spring Mail' }) });
    assert.deepEqual(await cases(), []);
    await put({ click_id: await click({ ...ad, campaign: 'other' }) });
    assert.equal((await cases()).length, 1);
  });

  test('looks for the parameters of its list only, and clicks keep those of the list', async () => {
    await put({ click_id: await click({ landing: 'https://store.example/?fbclid=1' }) });
    assert.deepEqual(await cases(), [], 'Facebook adds it to every link');
    await change('paid_ads', { parameters: ['fbclid', 'My-Ad'], action: 'hold' });
    const landing = 'https://store.example/?my-ad=1&gclid=1';
    await put({ click_id: await click({ landing }) });
    const sentence = 'The visitor came with parameters of ads: my-ad.';
    assert.deepEqual(await cases(), [['paid_ads', sentence, 10]]);
  });

  test('off, it sees nothing', async () => {
    await change('paid_ads', { action: 'off' });
    await put({ click_id: await click(ad) });
    assert.deepEqual(await cases(), []);
  });
});

describe('banned_referrers', () => {
  test('has no hosts at first, and sees nothing', async () => {
    await put({ click_id: await click(deals) });
    assert.deepEqual(await cases(), []);
  });

  test('holds an order whose visitor came from a host of the list', async () => {
    await change('banned_referrers', { hosts: ['*.deals.example'] });
    await put({ click_id: await click(deals) });
    await put({ click_id: await click({ referrer: 'https://blog.example/' }) });
    await put({ click_id: await click() });
    await put({ coupon_codes: [affiliate.code] });
    assert.deepEqual(await cases(), [
      ['banned_referrers', 'The visitor came from www.deals.example.', 10],
    ]);
  });

  test('joins the case of another rule on the same order', async () => {
    await change('banned_referrers', { hosts: ['www.deals.example'] });
    await change('paid_ads', { action: 'note', parameters: ['gclid'] });
    await put({ click_id: await click({ ...deals, ...ad }) });
    const [[, , held], ...others] = await cases();
    assert.deepEqual([held, others], [10, []]);
  });

  test('refuses what is no host', async () => {
    for (const host of ['https://deals.example', 'deals.*.example', 'a b', '']) {
      const reply = await app.call('/svc/store/v1/review/rules/banned_referrers', {
        method: 'PATCH',
        key: admin,
        json: { hosts: [host] },
      });
      assert.equal(reply.status, 400, host);
    }
  });
});

test('a host is banned by its name, or by a name above it with a wildcard', () => {
  assert.ok(isBanned('deals.example', ['Deals.Example']));
  assert.ok(isBanned('a.b.deals.example', ['*.deals.example']));
  assert.ok(!isBanned('deals.example', ['*.deals.example']));
  assert.ok(!isBanned('mydeals.example', ['*.deals.example', 'deals.example']));
  assert.ok(isBanned('xn--mller-kva.example', ['müller.example']));
  assert.ok(!isBanned('', ['deals.example']));
});

test('the click of an order costs one statement, and none if no rule asks for it', async () => {
  const cost = async (fields: () => Promise<object>) => {
    const prepared: object[] = [];
    for (let i = 0; i < 5; i++) prepared.push(await fields());
    return statementsOf(app.site.database, () => put(prepared.pop()!));
  };
  await change('banned_referrers', { hosts: [] });
  await change('paid_ads', { action: 'off' });
  const withClick = async () => ({ click_id: await click() });
  const withCode = async () => ({ coupon_codes: [affiliate.code] });
  const [clicked, coded] = [await cost(withClick), await cost(withCode)];
  await change('paid_ads', { action: 'note' });
  assert.equal((await cost(withClick)) - clicked, 1);
  assert.equal((await cost(withCode)) - coded, 0);
});
