import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { idOf, openTestApp, refusal, type Reply } from '../../../test/support/harness.ts';
import { HOUR_MS } from '../../shared/durations.ts';
import { storeLandingPages } from './count-landing-pages.ts';
import { PAGES_PER_DAY } from './landing-days-rows.ts';

/** Clicks from the script on pages of the store, and the rules that they share with referral links. */
const app = await openTestApp();
const admin = await app.key('admin', 'read,write');
const STORE = '/svc/store/v1';

let made = 0;
async function newCoupon(login = 'maya'): Promise<{ id: number; code: string }> {
  const json = { code: `Beacon${++made}`, user_id: idOf(login) };
  const reply = await app.call(`${STORE}/coupons`, { method: 'POST', key: admin, json });
  assert.equal(reply.status, 201, reply.text);
  return reply.body;
}

const newVisitor = () => `t.${String(++made).padStart(20, '0')}`;

let lastAddress = 0;
const newAddress = () => `10.7.${++lastAddress >> 8}.${lastAddress & 255}`;

function send(fields: Record<string, string>, headers: Record<string, string> = {}) {
  const form = new URLSearchParams(fields).toString();
  const from = { origin: 'https://store.example', 'x-forwarded-for': newAddress() };
  return app.call('~/t', { method: 'POST', form, headers: { ...from, ...headers } });
}

/** Follows a referral link. */
async function follow(code: string, headers: Record<string, string> = {}) {
  const from = { 'x-forwarded-for': newAddress(), ...headers };
  const reply = await app.call(`~/r/${code}`, { headers: from });
  const target = new URL(reply.headers.get('location')!);
  return {
    cookie: reply.headers.getSetCookie()[0]?.split(';')[0] ?? '',
    ...Object.fromEntries(target.searchParams),
  } as Record<string, string>;
}

async function clicksOf({ id }: { id: number }, filter = ''): Promise<number> {
  const reply = await app.call(`/clicks/stats?coupon_id=${id}${filter}`, { key: admin });
  return reply.body.clicks;
}

const cookieOf = (reply: Reply) => reply.headers.getSetCookie()[0];

describe('POST /t', () => {
  test('202: counts a click, with the campaign; the page of another host gets no cookie', async () => {
    const coupon = await newCoupon();
    const visitor = newVisitor();
    const reply = await send({ code: coupon.code.toLowerCase(), visitor, campaign: 'spring' });
    assert.deepEqual([reply.status, reply.text], [202, '']);
    assert.equal(reply.headers.get('cross-origin-resource-policy'), 'cross-origin');
    assert.equal(cookieOf(reply), undefined);
    assert.equal(await clicksOf(coupon, '&campaign=spring'), 1);
    // An invalid campaign counts as none.
    await send({ code: coupon.code, visitor: newVisitor(), campaign: 'x'.repeat(101) });
    assert.equal(await clicksOf(coupon, '&campaign='), 1);
  });

  test("202: with the script's cookie for a page of the same host, also without a new click", async () => {
    const coupon = await newCoupon();
    const same = { 'sec-fetch-site': 'same-origin' };
    const visitor = newVisitor();
    const cookie = cookieOf(await send({ code: coupon.code, visitor }, same))!;
    assert.match(cookie, /^tributary=[^;]+; Max-Age=2592000; Path=\/; Secure; SameSite=Lax$/);
    const kept = (text: string) => JSON.parse(decodeURIComponent(/=([^;]+)/.exec(text)![1]!));
    assert.deepEqual(kept(cookie), [coupon.code, visitor, 0, app.site.clock()]);
    const linked = { code: coupon.code, visitor: 'of-a-link', click_id: '77' };
    assert.deepEqual(kept(cookieOf(await send(linked, same))!).slice(0, 3), [
      coupon.code,
      'of-a-link',
      77,
    ]);
    assert.equal(await clicksOf(coupon), 1);
    const cross = await send({ code: coupon.code, visitor }, { 'sec-fetch-site': 'cross-site' });
    assert.equal(cookieOf(cross), undefined);
  });

  test('202: an unknown or disabled code counts nothing', async () => {
    const coupon = await newCoupon();
    const json = { status: 'disabled' };
    await app.call(`${STORE}/coupons/${coupon.id}`, { method: 'PATCH', key: admin, json });
    for (const code of [coupon.code, 'nobody', "';--"]) {
      assert.equal((await send({ code, visitor: newVisitor() })).status, 202, code);
    }
    assert.equal(await clicksOf(coupon), 0);
  });

  test('202: a visitor of a referral link or of the store gets no click', async () => {
    const [own, other] = [await newCoupon(), await newCoupon('tomas')];
    const { visitor } = await follow(own.code);
    for (const name of [visitor!, 'session-8f2c', 't.short', `t.${'A'.repeat(20)}`]) {
      assert.equal((await send({ code: other.code, visitor: name })).status, 202);
    }
    assert.equal(await clicksOf(other), 0);
  });

  test('400: missing, too long or unstorable fields', async () => {
    assert.equal(refusal(await send({})), '400 rest_missing_callback_param');
    const visitor = newVisitor();
    for (const fields of [
      { code: 'x'.repeat(51), visitor },
      { code: 'a\0b', visitor },
      { code: 'x', visitor: 'v'.repeat(201) },
      { code: 'x', visitor, click_id: 'none' },
    ]) {
      assert.equal(refusal(await send(fields as Record<string, string>)), '400 rest_invalid_param');
    }
  });

  test('60 clicks per minute are counted from one network, together with its links', async () => {
    const coupon = await newCoupon();
    const headers = { 'x-forwarded-for': '10.9.9.8' };
    for (let i = 0; i < 30; i++) await follow(coupon.code, headers);
    for (let i = 0; i < 35; i++) {
      const reply = await send({ code: coupon.code, visitor: newVisitor() }, headers);
      assert.equal(reply.status, 202);
    }
    assert.equal(await clicksOf(coupon), 60);
  });
});

describe('for links and the script alike', () => {
  test('bots and prefetches are not counted', async () => {
    const coupon = await newCoupon();
    for (const headers of [
      { 'user-agent': 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)' },
      { 'user-agent': 'facebookexternalhit/1.1' },
      { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) HeadlessChrome/130.0.0.0 Safari/537.36' },
      { 'user-agent': 'curl/8.9.1' },
      { 'user-agent': '' },
      { 'sec-purpose': 'prefetch;prerender' },
      { purpose: 'prefetch' },
    ] as Record<string, string>[]) {
      assert.equal((await send({ code: coupon.code, visitor: newVisitor() }, headers)).status, 202);
      const { cookie, ...parameters } = await follow(coupon.code, headers);
      assert.deepEqual([cookie, parameters], ['', { ref: coupon.code }], JSON.stringify(headers));
    }
    assert.equal(await clicksOf(coupon), 0);
  });

  test('the same visitor and coupon count once an hour', async () => {
    const [coupon, other] = [await newCoupon(), await newCoupon('tomas')];
    const visitor = newVisitor();
    const first = await follow(coupon.code);
    const headers = { cookie: first['cookie']! };
    const visit = async (code: string) => {
      await send({ code, visitor });
      return (await follow(code, headers))['click_id'];
    };
    await visit(coupon.code);
    app.advance(HOUR_MS - 1);
    assert.equal(await visit(coupon.code), first['click_id'], 'the click that was recorded');
    assert.equal(await clicksOf(coupon), 2, 'one by the link, one by the script');
    app.advance(2);
    assert.notEqual(await visit(coupon.code), first['click_id']);
    assert.equal(await clicksOf(coupon), 4);
    // The last click is credited, so that a change of the coupon counts at once.
    await visit(other.code);
    await visit(coupon.code);
    assert.deepEqual([await clicksOf(coupon), await clicksOf(other)], [6, 2]);
  });

  test('also if they arrive at the same time', async () => {
    const coupon = await newCoupon();
    const { cookie } = await follow(coupon.code);
    const visitor = newVisitor();
    app.advance(HOUR_MS + 1);
    await Promise.all(
      Array.from({ length: 10 }, () => [
        follow(coupon.code, { cookie: cookie! }),
        send({ code: coupon.code, visitor }),
      ]).flat(),
    );
    assert.equal(await clicksOf(coupon), 3);
  });
});

describe('GET /clicks/landing-pages', () => {
  const day = () => app.site.calendar.dayOf(app.site.clock());
  async function pages(): Promise<{ path: string; clicks: number }[]> {
    await storeLandingPages.run(app.site);
    const reply = await app.call(`${STORE}/clicks/landing-pages?from=${day()}`, { key: admin });
    assert.equal(reply.status, 200, reply.text);
    return reply.body;
  }

  test('200: counts paths without query, from links and from the script', async () => {
    await storeLandingPages.run(app.site);
    app.advance(24 * HOUR_MS);
    const { code } = await newCoupon();
    for (const path of ['/shoes/red?size=7', '/shoes/red#top', `/${'x'.repeat(300)}`, 'no', '']) {
      await send({ code, visitor: newVisitor(), path });
    }
    const from = { 'x-forwarded-for': newAddress() };
    await app.call(`~/r/${code}?to=/shoes/red`, { headers: from });
    assert.deepEqual(await pages(), [
      { path: '/shoes/red', clicks: 3 },
      { path: `/${'x'.repeat(199)}`, clicks: 1 },
    ]);
  });

  test('200: beyond the limit of a day, paths count under a common name', async () => {
    await storeLandingPages.run(app.site);
    app.advance(24 * HOUR_MS);
    const { code } = await newCoupon();
    for (let i = 0; i < PAGES_PER_DAY + 5; i++) {
      await send({ code, visitor: newVisitor(), path: `/${i}` });
      if (i === 50) await storeLandingPages.run(app.site);
    }
    assert.deepEqual((await pages())[0], { path: '(other)', clicks: 5 });
    await send({ code, visitor: newVisitor(), path: '/3' });
    await send({ code, visitor: newVisitor(), path: '/new' });
    assert.deepEqual((await pages()).slice(0, 3), [
      { path: '(other)', clicks: 6 },
      { path: '/3', clicks: 2 },
      { path: '/0', clicks: 1 },
    ]);
  });
});
