import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CompiledQuery } from 'kysely';
import { query } from '../../src/db/statements/query.ts';
import { makeOrders } from '../../src/tools/generate/bulk-orders.ts';
import { eventually } from '../support/eventually.ts';
import { idOf, openTestApp, type TestApp } from '../support/harness.ts';
import { counting, stepsOf } from './steps.ts';

/**
 * A store that is filled right after its first start, before any database has counted anything. On PostgreSQL the
 * statements are planned while the tables are empty: the server of the tests never analyzes.
 */
const STORE = '/svc/store/v1';
const PLANNED = 10;
const LOADED = 6_000;

/** Of steps, 100 for each order of the affiliate; of rows that are scanned, far fewer than orders. */
const WORK_MAX = { sqlite: 100 * LOADED, postgresql: LOADED / 10 };

/** A step by new customers, which counts the affiliate's orders of the year. */
const rule = {
  rate: {
    steps: {
      by: 'new_customers',
      counts: 'counted',
      window: { kind: 'year' },
      steps: [
        { from: 0, percent: 5 },
        { from: 100, percent: 10 },
      ],
    },
  },
};

class Shop {
  readonly #app: TestApp;
  readonly #admin: string;
  #orders = 0;

  static async open(): Promise<Shop> {
    const app = await openTestApp();
    return new Shop(app, await app.key('admin', 'read,write,manage'));
  }

  private constructor(app: TestApp, admin: string) {
    this.#app = app;
    this.#admin = admin;
  }

  async send(path: string, json: unknown, method = 'POST'): Promise<void> {
    const reply = await this.#app.call(STORE + path, { method, key: this.#admin, json });
    assert.ok(reply.status < 300, reply.text);
  }

  async order(): Promise<void> {
    const id = ++this.#orders;
    await this.send(
      `/orders/${id}`,
      {
        date: new Date(this.#app.site.clock()).toISOString(),
        status: 'completed',
        total: 100,
        coupon_codes: ['MAYA10'],
        customer: { email: `c${id}@shoppers.example` },
      },
      'PUT',
    );
  }

  async load(orders: number): Promise<void> {
    const plan = { orders, days: 200, codes: ['MAYA10'], firstId: this.#orders + 1 };
    await makeOrders(this.#app.site, plan, () => {});
    this.#orders += orders;
  }

  get database() {
    return this.#app.site.database;
  }
}

const rowsRead = query<object, { rows: number; scans: number }>(() => ({
  compile: () =>
    CompiledQuery.raw(
      `select sum(seq_tup_read)::float8 as rows, sum(idx_scan)::float8 as scans from pg_stat_user_tables`,
    ),
}));

/** What one order costs: the steps of its longest statement on SQLite, the rows that were read by scans on PostgreSQL. */
async function workOf({ database }: Shop, work: () => Promise<void>): Promise<number> {
  if (database.dialect.name === 'sqlite') return Math.max(...(await stepsOf(work)).values());
  const before = (await database.read.first(rowsRead, {}))!;
  let orders = 1;
  await work();
  // A connection reports what it has read a second later, when it is used again.
  const after = await eventually(async () => {
    await work();
    orders += 1;
    const now = (await database.read.first(rowsRead, {}))!;
    assert.ok(now.scans > before.scans);
    return now;
  });
  return (after.rows - before.rows) / orders;
}

test(
  'an order of a busy affiliate reads no table from end to end in the first hour of a store',
  counting,
  async () => {
    const shop = await Shop.open();
    await shop.send('/coupons', { code: 'MAYA10', user_id: idOf('maya') });
    await shop.send('/rewards/rules', rule);
    for (let i = 0; i < PLANNED; i++) await shop.order();
    await shop.send('/rewards/rules/1', { active: false }, 'PATCH');
    await shop.load(LOADED);
    await shop.send('/rewards/rules/1', { active: true }, 'PATCH');
    const work = await workOf(shop, () => shop.order());
    assert.ok(work < WORK_MAX[shop.database.dialect.name], `${work} for ${LOADED} orders`);
  },
);
