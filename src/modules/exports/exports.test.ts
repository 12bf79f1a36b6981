import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parse } from 'csv-parse/sync';
import Type from 'typebox';
import { eventually } from '../../../test/support/eventually.ts';
import { openTestApp, idOf, refusal } from '../../../test/support/harness.ts';
import { freeEdition } from '../../edition-free.ts';
import { invoke } from '../../kernel/call/invoke.ts';
import { HttpResponse } from '../../kernel/declare/http-response.ts';
import { defineModule } from '../../kernel/declare/module.ts';
import { operation } from '../../kernel/declare/operation.ts';
import { createAffiliate } from '../affiliates/index.ts';
import { createCoupon } from '../coupons/index.ts';
import { createGroup } from '../groups/index.ts';
import { batchOrders } from '../orders/batch-orders.ts';

const ORDERS = '/svc/store/v1/exports/orders.csv';
const AFFILIATES = '/svc/store/v1/exports/affiliates.csv';

/** How far the endless response got. */
const streams = { pagesMade: 0, ended: false };
/** Its response fails halfway. */
const breaking = operation({
  method: 'GET',
  namespace: 'store',
  path: '/breaking.csv',
  summary: 'For tests',
  access: 'public',
  scope: null,
  response: Type.String(),
  handle: () =>
    HttpResponse.encoded<string>(
      (async function* () {
        yield 'a,b\n';
        throw new Error('the disk is gone');
      })(),
    ),
});
/** Its response never ends by itself. */
const endless = operation({
  // An operation has all properties of its declaration, but a narrower type.
  ...(breaking as object as Parameters<typeof operation>[0]),
  path: '/endless.csv',
  handle: () =>
    HttpResponse.encoded<string>(
      (async function* () {
        try {
          for (;;) {
            streams.pagesMade += 1;
            yield 'x'.repeat(100_000);
          }
        } finally {
          streams.ended = true;
        }
      })(),
    ),
});

const tryOut = defineModule({
  name: 'try-out',
  summary: 'For tests',
  addon: false,
  operations: [breaking, endless],
});

const app = await openTestApp({ modules: [...freeEdition, tryOut] });
const key = await app.key('admin', 'read');
// With `columns` every record is an object of texts.
const rowsOf = (text: string) => parse(text, { columns: true }) as Record<string, string>[];

async function send(orders: unknown[]): Promise<void> {
  for (let i = 0; i < orders.length; i += 1000) {
    await invoke(app.site, batchOrders, { orders: orders.slice(i, i + 1000) });
  }
}

await invoke(app.site, createCoupon, { code: '=CMD()', user_id: idOf('maya') });
await invoke(app.site, createCoupon, { code: 'PLAIN', user_id: idOf('tomas') });
let cells = 0;
const COUNT = 1_250;
await send(
  Array.from({ length: COUNT }, (_, i) => ({
    order_id: i * 3 + 1,
    date: '2026-03-01T12:00:00',
    status: i % 5 === 0 ? 'cancelled' : 'completed',
    total: 100,
    coupon_codes: i % 2 === 0 ? ['=CMD()', 'plain'] : [],
  })),
);

describe('GET /exports/orders.csv: 200', () => {
  test('every order once, by its id, over several pages', async () => {
    const reply = await app.call(ORDERS, { key });
    assert.equal(reply.status, 200);
    assert.deepEqual(
      rowsOf(reply.text).map((row) => Number(row['order_id'])),
      Array.from({ length: COUNT }, (_, i) => i * 3 + 1),
    );
  });

  test('an order with its coupons and its commission', async () => {
    const [cancelled, without, both] = rowsOf((await app.call(ORDERS, { key })).text);
    assert.deepEqual(both, {
      order_id: '7',
      date: '2026-03-01T12:00:00',
      status: 'completed',
      currency: 'USD',
      total: '100',
      discount: '0',
      shipping: '0',
      refunded: '0',
      coupon_codes: "'=CMD() PLAIN",
      commission: '20',
      order_currency: 'USD',
      exchange_rate: '1',
      external_id: '',
      credited_via: 'coupon',
      click_id: '',
      referral_code: '',
      creative: '',
      sub1: '',
      sub2: '',
      sub3: '',
      sub4: '',
      sub5: '',
    });
    assert.deepEqual([without!['coupon_codes'], without!['commission']], ['', '0']);
    assert.equal(cancelled!['commission'], '0', 'what is void earns nothing');
  });

  test('is an attachment without a content-length', async () => {
    const { headers } = await app.call(ORDERS, { key });
    assert.equal(headers.get('content-type'), 'text/csv; charset=utf-8');
    assert.equal(headers.get('content-disposition'), 'attachment; filename="orders.csv"');
    assert.equal(headers.get('content-length'), null);
    assert.equal(headers.get('cache-control'), 'no-store');
  });

  test('HEAD: the same headers and nothing else', async () => {
    const { status, headers, text } = await app.call(ORDERS, { key, method: 'HEAD' });
    assert.deepEqual([status, text], [200, '']);
    assert.equal(headers.get('content-type'), 'text/csv; charset=utf-8');
  });

  test('the OpenAPI document says that it is CSV', async () => {
    const { body } = await app.call('/svc/store/v1/openapi');
    const { content } = body.paths['/exports/orders.csv'].get.responses['200'];
    assert.deepEqual(Object.keys(content), ['text/csv; charset=utf-8']);
  });
});

describe('GET /exports/affiliates.csv: 200', () => {
  test('groups, coupons and balances', async () => {
    const maya = rowsOf((await app.call(AFFILIATES, { key })).text)[0]!;
    assert.match(maya['date_registered']!, /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}$/);
    assert.deepEqual(
      { ...maya, date_registered: '' },
      {
        id: String(idOf('maya')),
        login: 'maya',
        email: 'maya@test.example',
        display_name: 'maya',
        status: 'active',
        date_registered: '',
        groups: '',
        coupon_codes: "'=CMD()",
        unpaid_commission: '5000',
        pending_order_commission: '0',
        pending_payout_commission: '0',
        paid_commission: '0',
      },
    );
  });

  test('what a spreadsheet would run is text: names, groups', async () => {
    const name = '=HYPERLINK("evil.example","click")';
    await invoke(app.site, createGroup, { name: '+Gold' });
    await invoke(app.site, createAffiliate, {
      login: 'mallory',
      email: '-2+3@test.example',
      display_name: name,
      groups: ['+Gold'],
    });
    const row = rowsOf((await app.call(AFFILIATES, { key })).text).at(-1)!;
    assert.equal(row['display_name'], `'${name}`);
    assert.equal(row['email'], "'-2+3@test.example");
    assert.equal(row['groups'], "'+Gold");
  });

  for (const [name, safe] of [
    ['Ann;=1+2', "Ann;'=1+2"],
    ['Ann; =1+2', "Ann; '=1+2"],
    ['Ann;"=1+2"', `Ann;"'=1+2"`],
    [';;@SUM(A1);+1;-1', ";;'@SUM(A1);'+1;'-1"],
    [' =1+2', " '=1+2"],
    ['"=1+2', `"'=1+2`],
    ['Ann|=1+2', "Ann|'=1+2"],
    ['Ann;\uff1d1', "Ann;'\uff1d1"],
    ['Ann = Bob, Ann-Marie; a@b', 'Ann = Bob, Ann-Marie; a@b'],
  ] as const) {
    test(`a cell inside a cell is text where ; separates cells: ${name}`, async () => {
      const login = `cells${++cells}`;
      const email = `${login}@test.example`;
      await invoke(app.site, createAffiliate, { login, email, display_name: name });
      const { text } = await app.call(AFFILIATES, { key });
      assert.equal(rowsOf(text).at(-1)!['display_name'], safe);
      const asElsewhere = parse(text, {
        delimiter: ';',
        relax_quotes: true,
        relax_column_count: true,
      });
      for (const cell of asElsewhere.flat()) assert.doesNotMatch(cell, /^\s*[=+\-@\uff1d]/);
    });
  }
});

describe('exports: 401, 403', () => {
  for (const path of [ORDERS, AFFILIATES]) {
    test(`${path} is for admins with the read scope`, async () => {
      assert.equal(refusal(await app.call(path)), '401 svc_api_unauthorized');
      const maya = await app.key('maya', 'read');
      assert.equal(refusal(await app.call(path, { key: maya })), '403 svc_api_forbidden');
      const writer = await app.key('admin', 'write');
      assert.equal(
        refusal(await app.call(path, { key: writer })),
        '403 svc_api_insufficient_scope',
      );
    });
  }
});

describe('a response that is sent while it is generated', () => {
  test('an error halfway closes the connection, so that a partial file is not mistaken for a complete one', async () => {
    await assert.rejects(app.call('/svc/store/v1/breaking.csv'), TypeError);
    assert.ok(app.logs.some((line) => line.includes('the disk is gone')));
  });

  test('waits for the client, and ends when the client leaves', async () => {
    const leaving = new AbortController();
    const { body } = await fetch(`${app.url}/svc/store/v1/endless.csv`, {
      signal: leaving.signal,
      headers: { 'x-forwarded-proto': 'https' },
    });
    const reader = body!.getReader();
    await reader.read();
    await eventually(async () => {
      const made = streams.pagesMade;
      for (let i = 0; i < 20; i++) await app.call('~/healthz');
      assert.equal(streams.pagesMade, made, 'nothing is made for a client that does not read');
    });
    assert.ok(streams.pagesMade < 1_000, String(streams.pagesMade));
    leaving.abort();
    await eventually(() => assert.ok(streams.ended));
  });
});
