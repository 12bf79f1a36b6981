import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readAll } from '../../../src/db/statements/calls.ts';
import { pruneClicks } from '../../../src/modules/clicks/prune-clicks.ts';
import { DAY_MS } from '../../../src/shared/durations.ts';
import { idOf, openTestApp } from '../../../test/support/harness.ts';
import { pruneReview } from '../prune.ts';

const app = await openTestApp();
const admin = await app.key('admin', 'read,write,manage');
const STORE = '/svc/store/v1';

const listTraces = readAll<{ coupon_id: number }, Record<string, string | number | null>>((db, p) =>
  db
    .selectFrom('review_click_traces')
    .select(['click_id', 'referrer', 'ads', 'network_hash'])
    .where('coupon_id', '=', p.coupon_id)
    .orderBy('click_id'),
);

let made = 0;
async function newCoupon(): Promise<{ id: number; code: string }> {
  const json = { code: `Trace${++made}`, user_id: idOf('maya') };
  const reply = await app.call(`${STORE}/coupons`, { method: 'POST', key: admin, json });
  assert.equal(reply.status, 201, reply.text);
  return reply.body;
}

const tracesOf = (coupon: { id: number }) =>
  listTraces(app.site.database.read, { coupon_id: coupon.id });
const record = (json: unknown) => app.call(`${STORE}/clicks`, { method: 'POST', key: admin, json });

describe('what is kept of where a click came from', () => {
  test('POST /clicks: the host of the referrer and the names of ad parameters, never values', async () => {
    const { id, code } = await newCoupon();
    const reply = await record({
      code,
      referrer: 'https://Deals.Example:8443/codes?user=ann',
      landing: 'https://store.example/?ref=x&GCLID=secret&size=7&gbraid=s',
    });
    assert.deepEqual(await tracesOf({ id }), [
      {
        click_id: reply.body.ids[0],
        referrer: 'deals.example',
        ads: 'gbraid gclid',
        network_hash: null,
      },
    ]);
  });

  test('POST /clicks: a text that is no URL is ignored, one that is too long refused', async () => {
    const { id, code } = await newCoupon();
    const accepted = await record([
      { code, referrer: 'no address', landing: 'gclid=1' },
      { code, referrer: '', landing: '' },
      { code, referrer: 'about:blank', landing: '/?gclid=1' },
      { code },
    ]);
    assert.equal(accepted.body.accepted, 4);
    assert.deepEqual(await tracesOf({ id }), []);
    const long = await record({ code, referrer: `https://a.example/${'x'.repeat(8_000)}` });
    assert.equal(long.status, 400);
  });

  test('/r/: the header Referer, the parameters of the link and of its landing page, the network', async () => {
    const coupon = await newCoupon();
    const follow = (address: string, path = '') =>
      app.call(`~/r/${coupon.code}${path}`, {
        headers: { 'x-forwarded-for': address, referer: 'https://blog.example/' },
      });
    const to = encodeURIComponent('/shoes?gbraid=1');
    await follow('192.0.2.7', `?msclkid=1&x=2&to=${to}`);
    await follow('192.0.2.201');
    await follow('192.0.3.7');
    const [first, second, third] = await tracesOf(coupon);
    assert.deepEqual([first!['referrer'], first!['ads']], ['blog.example', 'gbraid msclkid']);
    assert.match(String(first!['network_hash']), /^[\w-]{43}$/);
    assert.equal(first!['network_hash'], second!['network_hash'], 'the same /24');
    assert.notEqual(first!['network_hash'], third!['network_hash']);
  });

  test('the script: the origin before the page and the names of parameters', async () => {
    const coupon = await newCoupon();
    const form = new URLSearchParams({
      code: coupon.code,
      visitor: `t.${String(++made).padStart(20, '0')}`,
      referrer: 'https://forum.example',
      parameters: 'ref&ttclid&x',
    }).toString();
    await app.call('~/t', { method: 'POST', form, headers: { origin: 'https://store.example' } });
    const [trace] = await tracesOf(coupon);
    assert.deepEqual([trace!['referrer'], trace!['ads']], ['forum.example', 'ttclid']);
  });

  test('for 90 days', async () => {
    const coupon = await newCoupon();
    await record({ code: coupon.code, referrer: 'https://a.example/' });
    app.advance(90 * DAY_MS);
    await pruneReview.run(app.site);
    assert.equal((await tracesOf(coupon)).length, 1);
    app.advance(1);
    await pruneReview.run(app.site);
    assert.deepEqual(await tracesOf(coupon), []);
  });
});

test('while the add-on is off, nothing is kept, and what was kept goes with its click', async () => {
  const coupon = await newCoupon();
  const click = {
    code: coupon.code,
    referrer: 'https://a.example/',
    landing: 'https://b.example/?gclid=1',
  };
  await record(click);
  await app.set({ 'addons.disabled': ['review'] });
  assert.equal((await record(click)).status, 201);
  assert.equal((await tracesOf(coupon)).length, 1);
  app.advance(365 * DAY_MS);
  await pruneClicks.run(app.site);
  assert.deepEqual(await tracesOf(coupon), []);
  await app.set({ 'addons.disabled': [] });
});
