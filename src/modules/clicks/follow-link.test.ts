import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { idOf, openTestApp, type CallOptions, type Reply } from '../../../test/support/harness.ts';

const app = await openTestApp();
const admin = await app.key('admin', 'read,write');
const store = (path: string) => `/svc/store/v1${path}`;

let lastCode = 0;
async function newCoupon(): Promise<{ id: number; code: string }> {
  const json = { code: `Link${++lastCode}`, user_id: idOf('maya') };
  const reply = await app.call(store('/coupons'), { method: 'POST', key: admin, json });
  assert.equal(reply.status, 201, reply.text);
  return reply.body;
}

let lastAddress = 0;
/** Follows a link, each time from another IP address. */
function follow(path: string, options: CallOptions = {}): Promise<Reply> {
  lastAddress += 1;
  const address = `10.3.${lastAddress >> 8}.${lastAddress & 255}`;
  const headers = { 'x-forwarded-for': address, ...options.headers };
  return app.call(`~/r/${path}`, { ...options, headers });
}

async function clicksOf(couponId: number, filter = ''): Promise<number> {
  const reply = await app.call(`/clicks/stats?coupon_id=${couponId}${filter}`, { key: admin });
  return reply.body.clicks;
}

const targetOf = (reply: Reply) => new URL(reply.headers.get('location')!);
const parametersOf = (reply: Reply) => Object.fromEntries(targetOf(reply).searchParams);
const cookieOf = (reply: Reply) => reply.headers.getSetCookie()[0];

describe('GET /r/{code}', () => {
  describe('302', () => {
    test('to the store with the coupon, the click and the campaign', async () => {
      const coupon = await newCoupon();
      const reply = await follow(`${coupon.code.toLowerCase()}?campaign=spring%20mail`);
      assert.equal(reply.status, 302);
      assert.equal(reply.headers.get('cache-control'), 'no-store');
      assert.equal(targetOf(reply).origin, 'https://store.example');
      const { click_id, visitor, ...rest } = parametersOf(reply);
      assert.match(click_id!, /^[1-9]\d*$/);
      assert.match(visitor!, /^[\w-]{22}$/);
      assert.deepEqual(rest, { ref: coupon.code, campaign: 'spring mail' });
      assert.equal(await clicksOf(coupon.id, '&campaign=spring%20mail'), 1);
    });

    test('to a path of the store, keeping its own parameters', async () => {
      const coupon = await newCoupon();
      const to = encodeURIComponent('/shoes/red?size=7&ref=other#reviews');
      const reply = await follow(`${coupon.code}?to=${to}`);
      const target = targetOf(reply);
      assert.deepEqual([target.pathname, target.hash], ['/shoes/red', '#reviews']);
      const { click_id: _, visitor: __, ...rest } = parametersOf(reply);
      assert.deepEqual(rest, { size: '7', ref: coupon.code });
    });

    test('with every other parameter of the link, also where the code is unknown', async () => {
      const coupon = await newCoupon();
      const others = 'utm_source=mail&utm_source=b%26c%3D1&q=%C3%A4+%2B&empty=&__proto__=x';
      for (const code of [coupon.code, 'nobody']) {
        const to = encodeURIComponent('/a?size=7#top');
        const target = targetOf(await follow(`${code}?${others}&to=${to}&campaign=may`));
        const names = ['size', 'utm_source', 'q', 'empty', '__proto__'];
        assert.deepEqual(
          names.map((name) => target.searchParams.getAll(name)),
          [['7'], ['mail', 'b&c=1'], ['ä +'], [''], ['x']],
        );
        assert.equal(target.searchParams.has('to'), false);
        assert.equal(target.hash, '#top');
      }
    });

    test('without the other parameters if they would make the URL too long', async () => {
      const coupon = await newCoupon();
      const reply = await follow(`${coupon.code}?a=1&b=${'%C3%A4'.repeat(1_000)}`);
      const { click_id, visitor, ...rest } = parametersOf(reply);
      assert.ok(click_id !== undefined && visitor !== undefined);
      assert.deepEqual(rest, { ref: coupon.code });
    });

    test('with its own click and visitor, never with ones invented by the link', async () => {
      const coupon = await newCoupon();
      const madeUp = 'click_id=987654&visitor=x&ref=OTHER';
      for (const search of [madeUp, `to=${encodeURIComponent(`/a?${madeUp}`)}`]) {
        const recorded = targetOf(await follow(`${coupon.code}?${search}`)).searchParams;
        const [clickId] = recorded.getAll('click_id');
        assert.notEqual(clickId, '987654');
        assert.deepEqual(recorded.getAll('click_id'), [clickId]);
        assert.deepEqual(recorded.getAll('ref'), [coupon.code]);
        assert.notDeepEqual(recorded.getAll('visitor'), ['x']);
        const ahead = await follow(`${coupon.code}?${search}`, { method: 'HEAD' });
        assert.deepEqual(parametersOf(ahead), { ref: coupon.code });
      }
    });

    test('from the referral_url of a coupon, whatever characters the code has', async () => {
      for (const code of ['Ä&b=50%', 'a/b', 'a?b#c', '...', '%2e', '😀'.repeat(50)]) {
        const json = { code, user_id: idOf('maya') };
        const { body } = await app.call(store('/coupons'), { method: 'POST', key: admin, json });
        const link = new URL(body.referral_url);
        assert.equal(link.origin, app.site.publicUrl);
        const reply = await follow(`${link.pathname.slice('/r/'.length)}?x=1`);
        assert.equal(parametersOf(reply)['ref'], code);
        assert.equal(await clicksOf(body.id), 1, code);
      }
    });

    test('with the current settings', async () => {
      await app.set({
        'site.store_url': 'https://shop.example/en?a=1',
        'attribution.parameter': 'via',
      });
      const coupon = await newCoupon();
      const reply = await follow(coupon.code);
      assert.equal(targetOf(reply).pathname, '/en');
      const { click_id: _, visitor: __, ...rest } = parametersOf(reply);
      assert.deepEqual(rest, { a: '1', via: coupon.code });
      await app.set({ 'site.store_url': 'https://store.example', 'attribution.parameter': 'ref' });
    });

    test('an unknown or disabled code redirects to the store without parameters and records nothing', async () => {
      const coupon = await newCoupon();
      const json = { status: 'disabled' };
      await app.call(store(`/coupons/${coupon.id}`), { method: 'PATCH', key: admin, json });
      for (const code of [coupon.code, 'nobody', '%F0%9F%A7%80', "';--"]) {
        const reply = await follow(`${code}?campaign=x`);
        assert.equal(reply.status, 302, code);
        assert.equal(targetOf(reply).href, 'https://store.example/');
        assert.equal(cookieOf(reply), undefined);
      }
      assert.equal(await clicksOf(coupon.id), 0);
    });

    test('an invalid campaign counts as none', async () => {
      const coupon = await newCoupon();
      const odd = ['campaign=a%00b', 'campaign=%FF', 'campaign=a&campaign=b', 'campaign[x]=1'];
      for (const search of [...odd, `campaign=${'x'.repeat(101)}`, 'to[]=/a']) {
        const reply = await follow(`${coupon.code}?${search}`);
        assert.equal(reply.status, 302, search);
        assert.equal(parametersOf(reply)['campaign'], undefined);
      }
      assert.equal(await clicksOf(coupon.id, '&campaign='), 6);
    });
  });

  describe('the cookie', () => {
    test('holds a random id and expires after attribution.cookie_days', async () => {
      const coupon = await newCoupon();
      const cookie = cookieOf(await follow(coupon.code))!;
      assert.match(cookie, /^__Host-tributary_ref=[0-9A-Za-z]{22}; /);
      for (const part of [
        'Path=/;',
        'HttpOnly',
        'SameSite=Lax',
        'Secure',
        `Max-Age=${30 * 86_400}`,
      ]) {
        assert.ok(cookie.includes(part), `${part} in ${cookie}`);
      }
      const plain = cookieOf(await follow(coupon.code, { secure: false }))!;
      assert.match(plain, /^tributary_ref=/);
      assert.ok(!plain.includes('Secure'));
      await app.set({ 'attribution.cookie_days': 7 });
      assert.ok(cookieOf(await follow(coupon.code))!.includes(`Max-Age=${7 * 86_400}`));
      await app.set({ 'attribution.cookie_days': 30 });
    });

    test('is hashed to the visitor id that the store gets, the same for the same browser', async () => {
      const coupon = await newCoupon();
      const first = await follow(coupon.code);
      const cookie = cookieOf(first)!.split(';')[0]!;
      const visitor = parametersOf(first)['visitor']!;
      assert.ok(!cookie.includes(visitor));
      const again = await follow(coupon.code, { headers: { cookie } });
      assert.equal(parametersOf(again)['visitor'], visitor);
      const ahead = await follow(coupon.code, { method: 'HEAD', headers: { cookie } });
      assert.equal(parametersOf(ahead)['visitor'], visitor, 'also without a click');
      assert.notEqual(parametersOf(await follow(coupon.code))['visitor'], visitor);
    });

    test('is reused if valid and replaced if malformed', async () => {
      const coupon = await newCoupon();
      const first = cookieOf(await follow(coupon.code))!.split(';')[0]!;
      const again = await follow(coupon.code, { headers: { cookie: first } });
      assert.equal(cookieOf(again)!.split(';')[0], first);
      const madeUp = { cookie: '__Host-tributary_ref=<script>' };
      assert.match(cookieOf(await follow(coupon.code, { headers: madeUp }))!, /=[0-9A-Za-z]{22};/);
    });

    test('without the prefix is ignored, since another host may have set it', async () => {
      const coupon = await newCoupon();
      const planted = 'a'.repeat(22);
      const reply = await follow(coupon.code, { headers: { cookie: `tributary_ref=${planted}` } });
      assert.ok(!cookieOf(reply)!.includes(planted));
    });
  });

  describe('what is not recorded', () => {
    test('HEAD requests and prefetches', async () => {
      const coupon = await newCoupon();
      const replies = [
        await follow(coupon.code, { method: 'HEAD' }),
        await follow(coupon.code, { headers: { 'sec-purpose': 'prefetch' } }),
        await follow(coupon.code, { headers: { 'sec-purpose': 'prefetch;prerender' } }),
        await follow(coupon.code, { headers: { purpose: 'prefetch' } }),
      ];
      for (const reply of replies) {
        assert.equal(reply.status, 302);
        assert.deepEqual(parametersOf(reply), { ref: coupon.code });
        assert.equal(cookieOf(reply), undefined);
      }
      assert.equal(await clicksOf(coupon.id), 0);
    });

    test('more than 60 clicks per minute from one address, which are still redirected', async () => {
      const coupon = await newCoupon();
      // Advances to the start of a minute, so that all clicks fall into the same one.
      app.advance(60_000 - (app.site.clock() % 60_000));
      const headers = { 'x-forwarded-for': '10.9.9.9' };
      for (let i = 0; i < 65; i++) {
        assert.equal((await follow(coupon.code, { headers })).status, 302);
      }
      assert.equal(await clicksOf(coupon.id), 60);
      await follow(coupon.code);
      assert.equal(await clicksOf(coupon.id), 61, 'another address has its own limit');
      app.advance(60_000);
      await follow(coupon.code, { headers });
      assert.equal(await clicksOf(coupon.id), 62, 'the next minute starts a new limit');
    });
  });

  test('50 concurrent requests record 50 clicks with different ids', async () => {
    const coupon = await newCoupon();
    const replies = await Promise.all(Array.from({ length: 50 }, () => follow(coupon.code)));
    assert.equal(new Set(replies.map((reply) => parametersOf(reply)['click_id'])).size, 50);
    assert.equal(await clicksOf(coupon.id), 50);
  });
});

describe('redirects to the store and nowhere else', () => {
  const elsewhere = [
    'https://evil.example',
    'HTTPS://evil.example/',
    'https:evil.example',
    'https:/evil.example',
    '//evil.example',
    '///evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '\\/evil.example',
    '/\t/evil.example',
    '/\n/evil.example',
    '/\r\nSet-Cookie: a=b',
    '\t//evil.example',
    ' //evil.example',
    '/ /evil.example',
    '/\u0000/evil.example',
    '/\u200b/evil.example',
    '/\u00a0/evil.example',
    '/path\\..\\evil',
    'javascript:alert(1)',
    'data:text/html,x',
    '@evil.example',
    '.evil.example',
    ':80@evil.example',
    'evil.example',
    '?to=x',
    '#x',
    '',
  ];
  for (const to of elsewhere) {
    test(`${JSON.stringify(to)}: to the front page`, async () => {
      const reply = await follow(`nobody?to=${encodeURIComponent(to)}`);
      assert.equal(reply.status, 302);
      assert.equal(reply.headers.get('location'), 'https://store.example/');
    });
  }

  const within = [
    '/',
    '/path',
    '/@evil.example',
    '/.//evil.example',
    '/..//evil.example',
    '/%2f%2fevil.example',
    '/%5cevil.example',
    '/%0d%0aSet-Cookie:a=b',
    '/https://evil.example',
    '/x?next=//evil.example',
    '/käse',
  ];
  for (const to of within) {
    test(`${JSON.stringify(to)}: within the store`, async () => {
      const reply = await follow(`nobody?to=${encodeURIComponent(to)}`);
      assert.ok(reply.headers.get('location')!.startsWith('https://store.example/'));
      assert.equal(targetOf(reply).host, 'store.example');
      assert.equal(reply.headers.get('set-cookie'), null);
    });
  }
});
