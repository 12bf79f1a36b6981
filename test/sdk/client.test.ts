import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { hasCode, TributaryError } from '../../sdk/src/index.ts';
import { openTestApp, PASSWORD } from '../support/harness.ts';
import { clientOf, fetchWithCookies } from './test-client.ts';

const app = await openTestApp();
const client = clientOf(app, { key: await app.key('admin', 'read,write,manage') });

describe('lists', () => {
  test('have pages with totals, and for await goes through all of them', async () => {
    for (let i = 1; i <= 5; i++) await client.coupons.create({ code: `PAGE${i}`, user_id: 3 });
    const page = await client.coupons.list({ per_page: 2 });
    assert.deepEqual([page.items.length, page.total, page.pages], [2, 5, 3]);
    assert.equal((await page.next())?.items.length, 2);
    const codes: string[] = [];
    for await (const coupon of client.coupons.list({ per_page: 2 })) codes.push(coupon.code);
    assert.deepEqual(codes, ['PAGE5', 'PAGE4', 'PAGE3', 'PAGE2', 'PAGE1']);
  });

  test('of events go on from their cursor', async () => {
    const ids: number[] = [];
    for await (const event of client.events.list({ after: 0, per_page: 2 })) ids.push(event.id);
    const { cursor } = await client.events.list();
    assert.ok(ids.length > 5);
    assert.deepEqual(ids, [...new Set(ids)]);
    assert.equal(ids.at(-1), cursor);
  });
});

describe('errors', () => {
  test('have the code and the faulty parameters', async () => {
    const error: unknown = await client.coupons.list({ per_page: 1000 }).catch((e: unknown) => e);
    assert.ok(hasCode(error, 'rest_invalid_param'));
    assert.equal(error.status, 400);
    assert.deepEqual(Object.keys(error.params), ['per_page']);
    assert.ok(error.requestId);
  });

  test('of an unknown record', async () => {
    await assert.rejects(client.coupons.get(999_999), (error) => {
      assert.ok(error instanceof TributaryError);
      return error.code === 'svc_api_not_found';
    });
  });
});

describe('a session', () => {
  test('sends the token with changes, and gets a new one when another session began', async () => {
    const { fetch, cookies } = fetchWithCookies();
    const browser = clientOf(app, { session: true, fetch });
    const other = clientOf(app, { session: true, fetch });
    await assert.rejects(browser.session.get(), { code: 'svc_api_unauthorized' });
    const session = await browser.session.signIn({ login: 'admin', password: PASSWORD });
    assert.equal(session.user.login, 'admin');
    await browser.groups.create({ name: 'One' });
    await other.session.signIn({ login: 'admin', password: PASSWORD });
    await browser.groups.create({ name: 'Two' });
    const { items } = await other.groups.list();
    assert.deepEqual(items.map(({ name }) => name).sort(), ['One', 'Two']);
    await browser.session.signOut();
    // What remains marks a known browser; it is no credential.
    assert.deepEqual([...cookies.keys()], ['__Host-tributary_device']);
  });

  test('asks for the token again after the connection was lost', async () => {
    const { fetch } = fetchWithCookies();
    await clientOf(app, { fetch }).session.signIn({ login: 'admin', password: PASSWORD });
    const asked: string[] = [];
    const cutOnce: typeof fetch = (url, init) => {
      asked.push(new URL(String(url)).pathname);
      return asked.length === 1 ? Promise.reject(new TypeError('cut')) : fetch(url, init);
    };
    const browser = clientOf(app, { session: true, fetch: cutOnce });
    await browser.groups.create({ name: 'After the cut' });
    assert.deepEqual(asked, ['/session', '/session', '/svc/store/v1/groups']);
  });
});
