import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TSchema } from 'typebox';
import { addonFacts } from './support/addon-facts.ts';
import { idOf } from './support/harness.ts';
import { openPayoutApp, STORE } from './support/payouts.ts';
import { sampleOf } from './support/sample.ts';

/**
 * A coupon changes hands, and everything that an affiliate may read is read by both: neither sees an order, an amount or a
 * click of the other.
 */
const payouts = await openPayoutApp();
const { app, admin, maya: mayaKey } = payouts;

const affiliates = [
  { id: idOf('maya'), key: mayaKey, order: 700_123, total: 43_210.5, clicks: 61, name: 'of-maya' },
  {
    id: idOf('tomas'),
    key: await app.key('tomas', 'read,write'),
    order: 800_456,
    total: 98_760.5,
    clicks: 67,
    name: 'of-tomas',
  },
];
type One = (typeof affiliates)[number];

const traces = ({ order, total, clicks, name }: One) => [
  String(order),
  String(Math.trunc(total)),
  (total / 10).toFixed(2),
  `"clicks":${clicks},`,
  name,
];

async function send(method: string, path: string, json: object) {
  const reply = await app.call(STORE + path, { method, key: admin, json });
  assert.ok(reply.status < 300, `${method} ${path}: ${reply.text}`);
  return reply.body;
}

const { id: coupon } = await send('POST', '/coupons', {
  code: 'SHARED',
  user_id: affiliates[0]!.id,
});

async function earn({ order, total, clicks, name }: One): Promise<void> {
  const date = new Date(app.site.clock()).toISOString();
  const click = { coupon_id: coupon, campaign: name, sub1: name, date };
  const { ids } = await send('POST', '/clicks', {
    clicks: Array.from({ length: clicks }, () => click),
  });
  const placed = { date, total, status: 'completed', click_id: ids[0] };
  await send('PUT', `/orders/${order}`, placed);
}

const OTHERS = new Set(
  addonFacts.flatMap(({ readsOthers = {} }) =>
    Object.keys(readsOthers).map((path) => `${STORE}${path}`),
  ),
);

/** The paths of all reads of an affiliate, with every number of this store in each place of one. */
function* pathsOf({ id }: One, payoutIds: readonly number[]): Generator<string> {
  const numbers = [id, coupon, ...payoutIds, ...affiliates.map(({ order }) => order)];
  for (const { method, url, access, query } of app.site.registry.allOperations()) {
    if (method !== 'GET' || !['owner', 'user'].includes(access) || OTHERS.has(url)) continue;
    const { properties = {}, required = [] } = (query ?? {}) as {
      properties?: Record<string, TSchema>;
      required?: string[];
    };
    const search = new URLSearchParams();
    for (const name of required) search.set(name, String(sampleOf(properties[name], name)));
    if ('coupon_id' in properties) search.set('coupon_id', String(coupon));
    if ('by' in properties) search.set('by', 'sub1');
    const places = url.includes('{') ? numbers : [0];
    for (const number of places) {
      yield `${url.replaceAll(/\{\w+\}/g, String(number))}?${search.toString()}`;
    }
  }
}

test('neither affiliate of a coupon reads what is the other one’s', async () => {
  const [former, next] = affiliates as [One, One];
  await earn(former);
  const { body: payout } = await payouts.request(coupon, former.key);
  await payouts.change(payout.id, 'paid');
  app.advance(60 * 60_000);
  await send('PATCH', `/coupons/${coupon}`, { user_id: next.id, move_balance: false });
  await earn(next);
  const read = { [former.id]: new Set<string>(), [next.id]: new Set<string>() };
  for (const one of affiliates) {
    const other = one === former ? next : former;
    for (const path of pathsOf(one, [payout.id])) {
      const { status, text } = await app.call(path, { key: one.key });
      if (status !== 200) continue;
      const found = traces(other).filter((trace) => text.includes(trace));
      assert.deepEqual(found, [], `${one.name}: ${path} shows ${text.slice(0, 500)}`);
      for (const trace of traces(one)) if (text.includes(trace)) read[one.id]!.add(trace);
    }
  }
  // They do see their own, so that a trace is one.
  for (const one of affiliates)
    assert.deepEqual([...read[one.id]!].toSorted(), traces(one).toSorted());
});
