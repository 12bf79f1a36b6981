import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { pino } from 'pino';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { openApp } from '../../app.ts';
import { resolveConfig } from '../../installation/config.ts';
import { dataFolder } from '../../installation/data-folder.ts';
import { invoke } from '../../kernel/call/invoke.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { hashCustomer } from '../../modules/orders/customers/hash-customer.ts';
import { ingestOrders } from '../../modules/orders/ingest-orders.ts';
import type { OrderInput } from '../../modules/orders/order-fields.ts';
import { prepareOrder } from '../../modules/orders/order-input.ts';
import { changeSettings } from '../../modules/settings/index.ts';
import { makeOrders } from './bulk-orders.ts';
import { createCoupons } from './generate.ts';
import { CUSTOMERS, sampleCustomer } from './sample-orders.ts';

const NOW_MS = Date.parse('2026-03-20T15:00:00Z');
const SECRET = 'a secret that both installations share, so that their hashes agree';
/** More than one transaction, in which customers come back. */
const MANY = 2_500;
/** Enough for rates and statuses. */
const SOME = 500;
/** Everything an order touches. */
const TABLES: Record<string, string> = {
  orders: 'order_id',
  referrals: 'order_id',
  ledger: 'id',
  events: 'id',
  coupons: 'id',
  coupon_days: 'coupon_id, day',
  store_days: 'day',
  lifetime_customers: 'customer_hash',
};

type Dump = Record<string, Record<string, unknown>[]>;

/** What an installation with some coupons looks like once `fill` has put orders into it. */
async function filled(
  settings: Record<string, unknown>,
  fill: (site: Site, codes: string[]) => Promise<void>,
): Promise<Dump> {
  const data = tempFolder();
  const folder = dataFolder(data);
  writeFileSync(folder.secretFile, SECRET, { mode: 0o600 });
  const { config } = resolveConfig({ data, timezone: 'America/New_York' }, {});
  const app = await openApp({ config, log: pino({ level: 'silent' }), clock: () => NOW_MS });
  try {
    await invoke(app.site, changeSettings, settings);
    await fill(app.site, await createCoupons(app.site, 12, 1));
  } finally {
    await app.close();
  }
  const db = new DatabaseSync(folder.databaseFile, { readOnly: true });
  const rows = (table: string, by: string) =>
    // How often figures have changed is another thing than what they are.
    db
      .prepare(`select * from ${table} order by ${by}`)
      .all()
      .map((row) => ({ ...row, figures_version: undefined }));
  const dump = Object.entries(TABLES).map(([table, by]) => [table, rows(table, by)] as const);
  db.close();
  return Object.fromEntries(dump);
}

for (const [name, orders, settings] of [
  ['as they are', SOME, {}],
  ['with a delay', SOME, { 'commission.delay_days': 14 }],
  [
    'with other statuses and rates',
    SOME,
    {
      'orders.counted_statuses': ['pending', 'on-hold', 'completed', 'refunded'],
      'commission.granted_statuses': ['completed', 'refunded'],
      'commission.percent': 7.5,
      'commission.fixed_per_order': 1.25,
      'commission.include_shipping': true,
      'commission.max_per_order': 9,
    },
  ],
  ['for customers that stay with their coupon', MANY, { 'attribution.lifetime': true }],
] as const) {
  test(`orders made in bulk stand as orders that came in one by one: settings ${name}`, async () => {
    const bulk = await filled(settings, (site, codes) => {
      return makeOrders(site, { orders, days: 40, codes, firstId: 1 }, () => {});
    });
    const oneByOne = await filled(settings, async (site) => {
      const customers = new Map(
        Array.from({ length: CUSTOMERS }, (_, i) => sampleCustomer(i + 1)).map((customer) => [
          hashCustomer(site, customer),
          customer,
        ]),
      );
      const context = { actorId: 0, nowMs: NOW_MS, coupons: new Map() };
      await site.database.transaction(async (tx) => {
        for (const { order_id, content } of bulk['orders']!) {
          const { customer, ...rest } = JSON.parse(content as string);
          const input: OrderInput = { ...rest, order_id, customer: customers.get(customer) };
          await ingestOrders(tx, site, [{ order: prepareOrder(site, input), context }]);
        }
      });
    });
    assert.equal(bulk['orders']!.length, orders);
    for (const table of Object.keys(TABLES)) {
      const [made, expected] = [bulk[table]!, oneByOne[table]!];
      assert.equal(made.length, expected.length, table);
      // One by one: the difference of whole tables would be unreadable.
      for (const [i, row] of made.entries()) assert.deepEqual(row, expected[i], table);
    }
  });
}
