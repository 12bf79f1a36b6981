import assert from 'node:assert/strict';
import { before as beforeAll, describe, test } from 'node:test';
import { parse } from 'csv-parse/sync';
import { idOf, openTestApp, refusal } from '../../../../test/support/harness.ts';
import { firstOf } from './compare-periods.ts';
import { compareCoupons, noFigures } from './period-rows.ts';
import { SUB_ROWS_MAX } from './source-rows.ts';

const STORE = '/svc/store/v1';
const app = await openTestApp({
  config: { timezone: 'America/New_York' },
  // Reports are the same from a thread.
  longFromBytes: 0,
});
const admin = await app.key('admin', 'read,write');
const call = async (path: string) => (await app.call(STORE + path, { key: admin })).body;
const post = (path: string, json: unknown) =>
  app.call(STORE + path, { method: 'POST', key: admin, json });

const couponIds: number[] = [];
for (const [code, login] of [
  ['A', 'maya'],
  ['B', 'maya'],
  ['C', 'tomas'],
] as const) {
  couponIds.push((await post('/coupons', { code, user_id: idOf(login) })).body.id);
}
const order = (order_id: number, day: string, total: number, codes: string[]) => {
  const date = `2026-${day}T23:30:00`;
  return { order_id, date, status: 'completed', total, coupon_codes: codes };
};
await post('/orders/batch', {
  orders: [
    { ...order(1, '03-01', 10.01, ['A']), country: 'DE' },
    { ...order(2, '03-02', 33.33, ['B']), country: 'DE' },
    { ...order(3, '03-02', 99.99, ['C']), country: 'US' },
    order(4, '03-03', 7.77, ['A', 'C']),
    order(5, '03-03', 1000, []),
    order(6, '02-27', 50.05, ['C']),
    order(7, '02-20', 500, ['A']),
    { ...order(8, '03-02', 80, ['A']), status: 'cancelled' },
    {
      ...order(9, '03-01', 60, ['B']),
      refunds: [{ id: 1, amount: 20.5 }],
    },
  ],
});
await post('/clicks', [
  { code: 'A', campaign: 'spring', date: '2026-03-01T09:00:00' },
  { code: 'A', date: '2026-03-02T09:00:00' },
  { code: 'C', campaign: 'spring', date: '2026-02-28T09:00:00' },
]);

const RANGE = 'from=2026-03-01&to=2026-03-03';
const report = (search: string) => call(`/reports?${RANGE}&${search}`);
const rowsOf = ({ rows }: any) =>
  rows.map((row: any) => [
    row.name,
    row.figures.orders,
    row.figures.sales,
    row.figures.commission,
    row.before.sales,
  ]);

/** Minor units, so that sums of decimals are exact. */
const sumOf = (rows: any[], name: string, of = 'figures') =>
  rows.reduce((sum, row) => sum + Math.round(row[of][name] * 100), 0);

describe('GET /reports', () => {
  test('200: by day, beside the days before', async () => {
    const body = await report('by=day');
    assert.deepEqual(
      [body.before, body.total, body.currency],
      [{ from: '2026-02-26', to: '2026-02-28' }, 3, 'USD'],
    );
    assert.deepEqual(rowsOf(body), [
      ['2026-03-01', 2, 49.51, 4.95, 0],
      ['2026-03-02', 2, 133.32, 13.33, 50.05],
      ['2026-03-03', 1, 7.77, 1.56, 0],
    ]);
    assert.deepEqual(body.totals.before.sales, 50.05);
    assert.deepEqual(body.totals.before.clicks, 1);
  });

  test('200: by affiliate and by coupon, highest commission first, also those of before', async () => {
    assert.deepEqual(rowsOf(await report('by=affiliate')), [
      ['tomas', 2, 107.76, 10.78, 50.05],
      ['maya', 4, 90.61, 9.06, 0],
    ]);
    const coupons = await report('by=coupon&sort=-sales');
    assert.deepEqual(
      coupons.rows.map((row: any) => [row.name, row.affiliate.login, row.figures.sales]),
      [
        ['C', 'tomas', 107.76],
        ['B', 'maya', 72.83],
        ['A', 'maya', 17.78],
      ],
    );
    const second = await report('by=coupon&sort=clicks&per_page=1&page=3');
    assert.deepEqual([second.rows[0].name, second.pages, second.total], ['A', 3, 3]);
  });

  test('200: by campaign, and by country: an order counts once, and rows add up to the totals', async () => {
    const campaigns = await report('by=campaign');
    assert.deepEqual(
      campaigns.rows.map((row: any) => [row.name, row.figures.clicks, row.before.clicks]),
      [
        ['', 1, 0],
        ['spring', 1, 1],
      ],
    );
    const countries = await report('by=country');
    assert.deepEqual(
      countries.rows.map((row: any) => [row.name, row.figures.orders, row.figures.sales]),
      [
        ['US', 1, 99.99],
        [null, 2, 47.27],
        ['DE', 2, 43.34],
      ],
    );
    assert.deepEqual(countries.rows[1].before, {
      ...countries.totals.before,
      clicks: 0,
      conversions: 0,
    });
    for (const name of ['orders', 'sales', 'commission']) {
      const total = Math.round(countries.totals.figures[name] * 100);
      assert.equal(sumOf(countries.rows, name), total, name);
    }
  });

  test('200: exact to the cent against the statistics and the ledger', async () => {
    const wide = 'from=2026-02-01&to=2026-03-31';
    const days = await call(`/reports?by=day&${wide}&per_page=100`);
    const coupons = await call(`/reports?by=coupon&${wide}`);
    const series = await call(`/stats/series?${wide}`);
    for (const name of ['orders', 'sales', 'commission', 'clicks']) {
      const points = series.points.map((figures: any) => ({ figures }));
      assert.equal(sumOf(days.rows, name), sumOf(points, name), name);
      assert.equal(Math.round(days.totals.figures[name] * 100), sumOf(points, name), name);
    }
    for (const row of coupons.rows) {
      const stats = await app.call(`/coupons/${row.id}/stats?${wide}`, { key: admin });
      assert.equal(row.figures.sales, stats.body.total_sales, row.name);
      assert.equal(row.figures.commission, stats.body.total_commission, row.name);
      const ledger = await call(`/coupons/${row.id}/ledger?per_page=100`);
      const earned = ledger.reduce(
        (sum: number, line: any) => sum + Math.round(line.amount * 100),
        0,
      );
      assert.equal(Math.round(row.figures.commission * 100), earned, row.name);
    }
  });

  test('200: clicks of complete months and of other days equal the statistics of each coupon', async () => {
    for (const [from, to] of [
      ['2026-02-01', '2026-03-31'],
      ['2026-02-15', '2026-03-31'],
      ['2026-02-01', '2026-03-01'],
      ['2026-01-31', '2026-04-01'],
      ['2026-03-02', '2026-03-02'],
      ['9999-12-25', '9999-12-31'],
    ] as const) {
      const range = `from=${from}&to=${to}`;
      const { rows, before } = await call(`/reports?by=coupon&${range}`);
      for (const [period, of] of [
        [range, 'figures'],
        [`from=${before.from}&to=${before.to}`, 'before'],
      ] as const) {
        for (const coupon of couponIds) {
          const { body } = await app.call(`/clicks/stats?coupon_id=${coupon}&${period}`, {
            key: admin,
          });
          const row = rows.find(({ id }: any) => id === coupon);
          assert.equal(row?.[of].clicks ?? 0, body.clicks, `${coupon}: ${period}`);
        }
      }
    }
  });

  test('the same rows whether a period has few orders and clicks or many', async () => {
    const days = { first: '2026-01-15', last: '2026-04-02' };
    const periods = { now: days, before: { first: '2025-10-29', last: '2026-01-14' } };
    for (const kind of ['coupon', 'affiliate'] as const) {
      const compare = async (orders: number) => {
        const totals = { ...noFigures(), orders, clicks: orders };
        const { read } = app.site.database;
        const rows = await compareCoupons(read, kind, periods, { now: totals, before: totals });
        return rows.sort((a, b) => Number(a.key) - Number(b.key));
      };
      const few = await compare(1);
      assert.deepEqual(await compare(1_000_000), few, kind);
      const sums = few.map(({ now }) => [now.orders, now.clicks]);
      assert.deepEqual(
        sums,
        kind === 'coupon'
          ? [
              [3, 2],
              [2, 0],
              [3, 1],
            ]
          : [
              [5, 2],
              [3, 1],
            ],
      );
    }
  });

  test('the first rows in an order, however many are wanted', () => {
    const rows = Array.from({ length: 300 }, (_, i) => (i * 7919) % 1_009);
    const sorted = rows.toSorted((a, b) => a - b);
    for (const wanted of [0, 1, 20, 299, 300, 301, 5_000]) {
      const first = firstOf(rows, (a, b) => a - b, wanted);
      assert.deepEqual(first, sorted.slice(0, wanted), String(wanted));
    }
  });

  test('400: more than 400 days, unknown values', async () => {
    for (const search of [
      'from=2024-01-01',
      'by=country&from=2026-01-01&to=2026-04-03',
      'by=sub1&from=2026-01-01&to=2026-04-03',
      'by=creative&from=2026-01-01&to=2026-04-03',
      'by=moon',
      'sort=moon',
      'from=2026-03-02&to=2026-03-01',
    ]) {
      const reply = await app.call(`${STORE}/reports?${search}`, { key: admin });
      assert.equal(refusal(reply), '400 rest_invalid_param', search);
    }
  });

  test('200: by country, of more orders than one statement reads', async () => {
    await post('/coupons', { code: 'D', user_id: idOf('tomas') });
    const codes = ['FR', 'PT', 'NL'];
    const orders = Array.from({ length: 2_050 }, (_, i) => ({
      ...order(1_000 + i, '06-01', 1, ['D']),
      date: `2025-06-01T12:${String(i % 60).padStart(2, '0')}:00`,
      country: codes[i % 3],
    }));
    for (let i = 0; i < orders.length; i += 100) {
      const reply = await post('/orders/batch', { orders: orders.slice(i, i + 100) });
      assert.equal(reply.status, 200, reply.text);
    }
    const { rows } = await call('/reports?by=country&from=2025-06-01&to=2025-06-01&sort=-orders');
    assert.deepEqual(
      rows.map((row: any) => [row.name, row.figures.orders]),
      [
        ['FR', 684],
        ['NL', 683],
        ['PT', 683],
      ],
    );
  });
});

describe('GET /reports by sub-id', () => {
  const RANGE_OF_LINKS = 'from=2025-08-01&to=2025-08-31';
  const read = (search: string) => call(`/reports?${RANGE_OF_LINKS}&${search}`);
  const click = async (code: string, day: string, sub1: string): Promise<number> =>
    (await post('/clicks', { code, date: `2025-${day}T09:00:00`, sub1 })).body.ids[0];

  beforeAll(async () => {
    const ids = [
      await click('A', '08-02', 'blog'),
      await click('B', '08-02', 'blog'),
      await click('C', '08-03', 'blog'),
      await click('A', '07-20', 'mail'),
    ];
    await click('A', '08-04', 'blog');
    await post('/orders/batch', {
      orders: ids.map((click_id, i) => ({
        ...order(5_000 + i, '', (1_001 * (i + 1)) / 100, []),
        date: `2025-08-0${i + 5}T12:00:00`,
        click_id,
      })),
    });
    await post('/orders/batch', {
      orders: [{ ...order(5_010, '', 99, ['A']), date: '2025-08-09T12:00:00' }],
    });
  });

  test('200: one row for each affiliate and sub-id, with clicks and orders', async () => {
    const { rows, total, totals } = await read('by=sub1');
    assert.deepEqual(
      rows.map(({ id, name, affiliate, figures }: any) => [
        id,
        name,
        affiliate.login,
        figures.clicks,
        figures.conversions,
        figures.orders,
        figures.sales,
      ]),
      [
        [null, 'blog', 'maya', 3, 2, 2, 30.03],
        [null, 'blog', 'tomas', 1, 1, 1, 30.03],
        [null, 'mail', 'maya', 0, 0, 1, 40.04],
      ],
    );
    assert.equal(total, 3);
    // Not those of the program, which has clicks and orders without a sub-id.
    const { clicks, orders, sales } = totals.figures;
    assert.deepEqual([clicks, orders, sales], [4, 4, 100.1]);
    assert.deepEqual(rows[2].before, { ...noFigures(), clicks: 1, conversions: 1 });
  });

  test('200: the figures that each affiliate sees, to the cent', async () => {
    const { rows } = await read('by=sub1');
    for (const login of ['maya', 'tomas']) {
      const own = await call(`/affiliates/${idOf(login)}/sources?by=sub1&${RANGE_OF_LINKS}`);
      assert.deepEqual(
        rows
          .filter(({ affiliate }: any) => affiliate.login === login)
          .map(({ name, figures }: any) => [
            name,
            figures.clicks,
            figures.orders,
            figures.sales,
            figures.commission,
          ]),
        own.map((row: any) => [row.name, row.clicks, row.orders, row.sales, row.commission]),
        login,
      );
    }
  });

  test('200: the CSV file names the affiliate of each', async () => {
    const path = `${STORE}/exports/report.csv?${RANGE_OF_LINKS}&by=sub1&sort=-sales`;
    const { text } = await app.call(path, { key: admin });
    const records = parse(text, { columns: true }) as Record<string, string>[];
    assert.deepEqual(
      records.map((row) => [row['name'], row['affiliate'], row['sales']]),
      [
        ['mail', 'maya', '40.04'],
        ['blog', 'maya', '30.03'],
        ['blog', 'tomas', '30.03'],
      ],
    );
  });

  test('sub-ids beyond the limit of rows are in one', async () => {
    const many = SUB_ROWS_MAX + 500;
    await app.site.database.transaction(async (tx) => {
      const coupon = 'select min(id) from coupons';
      for (let first = 0; first < many; first += 500) {
        const rows = Array.from(
          { length: 500 },
          (_, i) =>
            `((${coupon}), 'sub1', '2025-06-1${(first + i) % 9}', 'made-up-${first + i}', 1, 0)`,
        );
        await tx.execute(
          `insert into source_days (coupon_id, kind, day, name, clicks, conversions) values ${rows.join(',')}`,
        );
      }
    });
    await app.site.database.transaction(async (tx) => {
      for (const [day, clicks] of [
        ['2025-06-12', 7],
        ['2025-06-05', 3],
      ]) {
        await tx.execute(
          `insert into source_days (coupon_id, kind, day, name, clicks, conversions)
            values ((select min(id) from coupons), 'sub1', '${day}', 'zzz', ${clicks}, 0)`,
        );
      }
    });
    const { total } = await call('/reports?by=sub1&from=2025-06-10&to=2025-06-20&per_page=100');
    assert.equal(total, SUB_ROWS_MAX + 1);
    const last = await call(
      `/reports?by=sub1&from=2025-06-10&to=2025-06-20&sort=-clicks&per_page=2`,
    );
    assert.deepEqual(
      last.rows.map(({ name, figures, before }: any) => [name, figures.clicks, before.clicks]),
      [
        ['(other)', 501, 0],
        ['zzz', 7, 3],
      ],
    );
  });
});

describe('GET /exports/report.csv', () => {
  test('200: the rows of the report, in its order', async () => {
    for (const search of ['by=coupon&sort=-sales', 'by=day', 'by=campaign', 'by=country']) {
      const shown = (await report(search)).rows;
      const { text } = await app.call(`${STORE}/exports/report.csv?${RANGE}&${search}`, {
        key: admin,
      });
      const rows = parse(text, { columns: true }) as Record<string, string>[];
      assert.deepEqual(
        rows.map((row) => [row['name'], Number(row['sales']), Number(row['commission_before'])]),
        shown.map((row: any) => [row.name ?? '', row.figures.sales, row.before.commission]),
        search,
      );
    }
  });
});
