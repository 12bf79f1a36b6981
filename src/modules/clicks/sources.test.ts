import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { idOf, openTestApp, refusal } from '../../../test/support/harness.ts';
import { readAll } from '../../db/statements/calls.ts';
import { freeEdition } from '../../edition-free.ts';
import { defineModule } from '../../kernel/declare/module.ts';
import { contribute } from '../../kernel/declare/point.ts';
import { DAY_MS } from '../../shared/durations.ts';
import { CAMPAIGNS_PER_DAY } from './click.ts';
import { clickableCreatives, creativeNames, readOrderSources } from './index.ts';
import { pruneClicks } from './prune-clicks.ts';
import { looksLikeEmail } from './source.ts';

const STORE = '/svc/store/v1';

/** Creatives 1 to 9 exist. */
const creatives = defineModule({
  name: 'sample-pictures',
  summary: 'Creatives for this test',
  addon: false,
  operations: [],
  contributions: [
    contribute(clickableCreatives, async (_db, _site, id) => id < 10),
    contribute(
      creativeNames,
      async (_db, ids) => new Map(ids.map((id) => [id, `Banner ${id}`] as const)),
    ),
  ],
});

const app = await openTestApp({
  modules: [...freeEdition, creatives],
  config: { timezone: 'UTC' },
});
const admin = await app.key('admin', 'read,write,manage');
const json = { code: 'MAYA10', user_id: idOf('maya') };
const couponId: number = (await app.call(`${STORE}/coupons`, { method: 'POST', key: admin, json }))
  .body.id;
await app.set({ 'site.store_url': 'https://shop.example' });

const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const follow = async (query: string) => {
  const headers = { 'user-agent': BROWSER };
  const reply = await app.call(`~/r/MAYA10?${query}`, { headers });
  const landing = new URL(reply.headers.get('location')!);
  return { landing, clickId: Number(landing.searchParams.get('click_id')) };
};
const record = (given: object) =>
  app.call(`${STORE}/clicks`, { method: 'POST', key: admin, json: given });

let orders = 0;
async function order(given: object): Promise<number> {
  const order_id = ++orders;
  const reply = await app.call(`${STORE}/orders/${order_id}`, {
    method: 'PUT',
    key: admin,
    json: {
      date: new Date(app.site.clock()).toISOString(),
      status: 'completed',
      subtotal: 100,
      total: 100,
      ...given,
    },
  });
  assert.ok(reply.status < 300, reply.text);
  return order_id;
}

const none = { creative_id: null, sub1: '', sub2: '', sub3: '', sub4: '', sub5: '' };
const sourceOf = async (orderId: number) => {
  const [source] = await readOrderSources(app.site.database.read, [orderId]);
  return source && { ...source };
};

interface SourceDay {
  kind: string;
  name: string;
  clicks: number;
  conversions: number;
}
const readDays = readAll<object, SourceDay>((db) =>
  db
    .selectFrom('source_days')
    .select(['kind', 'name', 'clicks', 'conversions'])
    .orderBy('kind')
    .orderBy('name'),
);
const daysOf = async () => (await readDays(app.site.database.read)).map((day) => ({ ...day }));

describe('sub-ids and creatives of links', () => {
  test('are kept with the click, the order and the sums of the day', async () => {
    const { landing, clickId } = await follow('sub1=blog&sub5=top&creative=3&utm_term=x');
    assert.equal(landing.search.includes('blog'), false, 'they are not passed on');
    assert.equal(landing.searchParams.get('utm_term'), 'x');
    const id = await order({ click_id: clickId });
    assert.deepEqual(await sourceOf(id), {
      order_id: id,
      coupon_id: couponId,
      click_id: clickId,
      ...none,
      creative_id: 3,
      sub1: 'blog',
      sub5: 'top',
    });
    // A second order of the same click has them, too; the click converts once.
    assert.equal((await sourceOf(await order({ click_id: clickId })))?.sub1, 'blog');
    assert.deepEqual(await daysOf(), [
      { kind: 'creative', name: '3', clicks: 1, conversions: 1 },
      { kind: 'sub1', name: 'blog', clicks: 1, conversions: 1 },
    ]);
  });

  test('stay with the order when its click is removed', async () => {
    const { clickId } = await follow('sub2=mail');
    const id = await order({ click_id: clickId });
    app.advance(400 * DAY_MS);
    await pruneClicks.run(app.site);
    assert.equal((await sourceOf(id))?.sub2, 'mail');
  });

  test('an order by a coupon keeps those of a click of its visitor on that coupon', async () => {
    const reply = await record({ code: 'MAYA10', visitor: 'v-1', sub1: 'video' });
    assert.equal(reply.status, 201);
    const id = await order({ coupon_codes: ['MAYA10'], visitor: 'v-1' });
    assert.equal((await sourceOf(id))?.sub1, 'video');
    assert.equal(await sourceOf(await order({ coupon_codes: ['MAYA10'] })), undefined);
  });

  test('a link ignores what is not valid; the click counts', async () => {
    const invalid = [
      'sub1=maya%40test.example',
      'sub1=maya%2540test.example',
      'sub1=a%00b',
      `sub1=${'x'.repeat(201)}`,
      'creative=0',
      'creative=-1',
      'creative=3.5',
      'creative=banner',
      'creative=99',
      'sub6=x&subid=y',
    ];
    for (const query of invalid) {
      const { clickId } = await follow(query);
      assert.ok(clickId > 0, query);
      assert.equal(await sourceOf(await order({ click_id: clickId })), undefined, query);
    }
  });

  test('POST /clicks refuses them with 400, in a list for the one click', async () => {
    assert.equal(
      refusal(await record({ code: 'MAYA10', sub3: 'maya@test.example' })),
      '400 rest_invalid_param',
    );
    assert.equal(refusal(await record({ code: 'MAYA10', creative: 0 })), '400 rest_invalid_param');
    const { status, body } = await record({
      clicks: [
        { code: 'MAYA10', sub1: 'a@b.example' },
        { code: 'MAYA10', sub1: 'fine', creative: 99 },
      ],
    });
    assert.equal(status, 201);
    assert.equal(body.accepted, 1);
    assert.match(body.refused[0].params.sub1, /email/);
    const id = await order({ click_id: body.ids[1] });
    assert.deepEqual(await sourceOf(id), {
      order_id: id,
      coupon_id: couponId,
      click_id: body.ids[1],
      ...none,
      sub1: 'fine',
    });
  });

  test('other names by the setting; the first valid value counts', async () => {
    const key = 'attribution.sub_parameters';
    await app.set({ [key]: ['subid=sub1', 'aff_sub=sub1', 's2=sub2'] });
    const { clickId } = await follow('subid=a%40b.example&aff_sub=second&s2=two');
    const source = await sourceOf(await order({ click_id: clickId }));
    assert.deepEqual([source?.sub1, source?.sub2], ['second', 'two']);
    const { text } = await app.call('~/t.js');
    assert.match(text, /"subs":\{"subid":"sub1","aff_sub":"sub1","s2":"sub2"\}/);
    for (const value of ['campaign=sub1', 'x=sub6', '=sub1']) {
      const reply = await app.call(`${STORE}/settings`, {
        method: 'PATCH',
        key: admin,
        json: { [key]: [value] },
      });
      assert.equal(refusal(reply), '400 rest_invalid_param', value);
    }
  });

  test('the script of the store sends them', async () => {
    const visitor = `t.${'a'.repeat(20)}`;
    const fields = { code: 'MAYA10', visitor, sub4: 'page', creative: '7' };
    const reply = await app.call('~/t', {
      method: 'POST',
      headers: { 'user-agent': BROWSER },
      form: new URLSearchParams(fields).toString(),
    });
    assert.equal(reply.status, 202);
    const source = await sourceOf(await order({ visitor }));
    assert.deepEqual([source?.sub4, source?.creative_id], ['page', 7]);
  });

  test('the renewal of a subscription has those of the order that it renews', async () => {
    const { body } = await record({
      clicks: [{ code: 'MAYA10', sub1: 'box', sub5: 'e' }],
    });
    const days = await daysOf();
    const subscription = { id: 'box-1' };
    const first = await order({ click_id: body.ids[0], subscription });
    const second = await order({ subscription });
    const third = await order({ subscription, status: 'processing' });
    const of = await sourceOf(first);
    assert.deepEqual([of?.sub1, of?.sub5], ['box', 'e']);
    assert.deepEqual(await sourceOf(second), { ...of, order_id: second });
    assert.deepEqual(await sourceOf(third), { ...of, order_id: third });
    // The click led to one order.
    const count = (of_: typeof days) => of_.find(({ name }) => name === 'box')?.conversions;
    assert.equal(count(await daysOf()), 1);
    const maya = await app.key('maya', 'read');
    const path = `${STORE}/affiliates/${idOf('maya')}/sources?from=2000-01-01`;
    const sums = (await app.call(path, { key: maya })).body;
    const box = sums.find(({ name }: { name: string }) => name === 'box');
    assert.deepEqual([box.conversions, box.orders, box.sales], [1, 3, 300]);
    const plain = { id: 'plain-1' };
    await order({ coupon_codes: ['MAYA10'], subscription: plain });
    assert.equal(await sourceOf(await order({ subscription: plain })), undefined);
  });

  test('first sub-ids beyond the limit of a day are counted together, and kept', async () => {
    app.advance(DAY_MS);
    const clicks = Array.from({ length: CAMPAIGNS_PER_DAY + 5 }, (_, i) => ({
      code: 'MAYA10',
      sub1: `s${i}`,
    }));
    const { body } = await record({ clicks });
    const last = await order({ click_id: body.ids.at(-1) });
    assert.equal((await sourceOf(last))?.sub1, `s${clicks.length - 1}`);
    const other = (await daysOf()).find(({ name }) => name === '(other)');
    assert.deepEqual([other?.clicks, other?.conversions], [5, 1]);
  });

  test('orders and clicks without any take no statement more', async () => {
    const statements = async (run: () => Promise<unknown>) => {
      const before = app.site.database.queriesRun();
      await run();
      return app.site.database.queriesRun() - before;
    };
    const plain = await record({ clicks: [{ code: 'MAYA10' }, { code: 'MAYA10' }] });
    const named = await record({ clicks: [{ code: 'MAYA10', sub1: 'x' }] });
    const withNone = await statements(() => order({ click_id: plain.body.ids[0] }));
    const withSub = await statements(() => order({ click_id: named.body.ids[0] }));
    assert.equal(withSub - withNone, 2, 'the source of the order and the sum of the day');
  });
});

describe('figures by sub-id and creative', () => {
  const own = `${STORE}/affiliates/${idOf('maya')}`;

  test('of the affiliate, for itself and the team; reports by creative', async () => {
    const maya = await app.key('maya', 'read');
    const tomas = await app.key('tomas', 'read');
    const bySub = await app.call(`${own}/sources?from=2000-01-01`, { key: maya });
    assert.equal(bySub.status, 200);
    assert.deepEqual(
      bySub.body.find(({ name }: { name: string }) => name === 'blog'),
      {
        creative: null,
        name: 'blog',
        clicks: 1,
        conversions: 1,
        conversion_rate: 100,
        orders: 2,
        sales: 200,
        commission: 20,
      },
    );
    const byCreative = await app.call(`${own}/sources?by=creative&from=2000-01-01`, { key: admin });
    assert.deepEqual(
      byCreative.body.map(({ creative, name }: any) => [creative, name]),
      [
        [3, 'Banner 3'],
        [7, 'Banner 7'],
      ],
    );
    for (const path of ['sources', 'orders.csv']) {
      assert.equal((await app.call(`${own}/${path}`, { key: tomas })).status, 404);
    }
    const from = new Date(app.site.clock() - 10 * DAY_MS).toISOString().slice(0, 10);
    const report = await app.call(`${STORE}/reports?by=creative&from=${from}`, { key: admin });
    assert.deepEqual(
      report.body.rows.map(({ id, name, figures }: any) => [id, name, figures.clicks]),
      [[7, 'Banner 7', 1]],
    );
  });

  test('orders and their exports show the sub-ids', async () => {
    const maya = await app.key('maya', 'read');
    const { body } = await app.call(`${own}/orders?search=1&from=2000-01-01`, { key: maya });
    assert.deepEqual([body[0].sub1, body[0].sub5, body[0].creative], ['blog', 'top', 3]);
    const csv = await app.call(`${own}/orders.csv?from=2000-01-01`, { key: maya });
    const lines = csv.text.trimEnd().split('\r\n');
    assert.equal(lines.length, orders + 1);
    assert.match(lines.at(-1)!, /^1,.*,3,blog,,,,top$/);
    const all = await app.call(`${STORE}/exports/orders.csv`, { key: admin });
    assert.match(all.text.split('\r\n')[1]!, /,3,blog,,,,top$/);
  });

  test('of very many sub-ids, those with most orders', async () => {
    const names = [...Array.from({ length: 130 }, (_, i) => `a${i}`), 'z-best', 'z-second'];
    const earlier = new Date(app.site.clock() - 5 * DAY_MS).toISOString();
    const clicks = names.map((sub1) => ({ code: 'MAYA10', sub1, date: earlier }));
    const { body } = await record({ clicks });
    const ids: number[] = body.ids;
    const date = new Date(app.site.clock() - 3 * DAY_MS).toISOString();
    const credited = [...ids, ids.at(-1), ids.at(-2), ids.at(-2)];
    for (const click_id of credited) await order({ click_id, date });
    const day = date.slice(0, 10);
    const path = `${own}/sources?from=${day}&to=${day}`;
    const shown = (await app.call(path, { key: admin })).body;
    assert.equal(shown.length, 100);
    assert.deepEqual(
      shown.slice(0, 3).map(({ name, orders: count }: any) => [name, count]),
      [
        ['z-best', 3],
        ['z-second', 2],
        ['a0', 1],
      ],
    );
  });
});

test('values that look like an email address', () => {
  for (const value of [
    'maya@test.example',
    'x＠test.example',
    'A.B+C@D.ORG',
    'a%40b.de',
    'to: a @ b.de',
  ]) {
    assert.equal(looksLikeEmail(value), true, value);
  }
  for (const value of ['@maya', 'banner@2x', 'a.b', 'maya at test', '50%4', '']) {
    assert.equal(looksLikeEmail(value), false, value);
  }
});
