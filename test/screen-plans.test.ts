import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CompiledQuery } from 'kysely';
import { statementsOf, type Recorded } from '../bench/recorded.ts';
import { screens } from '../bench/screen-calls.ts';
import { query } from '../src/db/statements/query.ts';
import { idOf, openTestApp } from './harness.ts';

/**
 * SQLite has no statistics of the tables here, as in a store, so it plans a statement for an empty table as for a
 * million rows.
 */
const app = await openTestApp({ config: { worker: 'off' } });
const admin = await app.key('admin', 'read,write,manage');
const STORE = '/svc/store/v1';

/** Tables that grow with the orders, clicks, affiliates or payouts of a store. */
const large = new Set([
  'affiliates',
  'campaign_days',
  'click_days',
  'click_months',
  'clicks',
  'coupon_days',
  'coupons',
  'events',
  'journal',
  'orders',
  'payout_changes',
  'payouts',
  'referrals',
  'registrations',
  'roster',
  'roster_words',
  'users',
]);

/** What is read whole all the same, by the beginning of its step and its statement. */
const meant: readonly string[] = [
  // A partial index with few entries.
  'SCAN users USING COVERING INDEX users_roster_due',
  'SCAN coupons USING COVERING INDEX coupons_roster_due',
  'SCAN click_days USING COVERING INDEX click_days_roster_due',
  'SCAN users USING INDEX users_team',
  // The total of a list without a filter, counted along the smallest index: 100,000 entries take a few milliseconds.
  'SCAN roster USING COVERING INDEX roster_by_status: select count(*)',
  'SCAN coupons USING COVERING INDEX coupons_by_user: select count(*)',
  'SCAN registrations USING COVERING INDEX registrations_by_user: select count(*)',
  // Parts of names are found by reading all applications, which are few beside orders.
  'SCAN registrations: select count(*) as "total" from "registrations" inner join "users"',
];

interface Step {
  detail: string;
}

async function planOf({ sql, values }: Recorded[number]): Promise<Step[]> {
  const explained = query<object, Step>(() => ({
    compile: () => CompiledQuery.raw(`explain query plan ${sql}`, values),
  }));
  return app.site.database.read.all(explained, {});
}

/**
 * The large tables that a statement reads from end to end (along an index only if nothing limits it), or by every pair
 * of two lists of ids.
 */
function scannedBy(sql: string, plan: readonly Step[]): string[] {
  const aliases = new Map(
    [...sql.matchAll(/"(\w+)" as "(\w+)"/g)].map(([, of, name]) => [name, of]),
  );
  return plan.flatMap(({ detail }) => {
    const [, name, index] = /^SCAN (\w+)( USING (?:COVERING )?INDEX \w+)?/.exec(detail) ?? [];
    const table = aliases.get(name) ?? name;
    const isLimited = index !== undefined && sql.includes(' limit ');
    const isScan = table !== undefined && large.has(table) && !isLimited;
    const isEveryPair = / AND rowid=\?/.test(detail);
    return isScan || isEveryPair ? [`${detail}: ${sql}`] : [];
  });
}

test('no call of a screen reads a large table from end to end', async () => {
  const json = { code: 'MAYA10', user_id: idOf('maya') };
  const coupon = await app.call(`${STORE}/coupons`, { method: 'POST', key: admin, json });
  // The overview of a store with fewer orders also counts what the first hour needs.
  const orders = Array.from({ length: 10 }, (_, i) => ({
    order_id: i + 1,
    date: '2026-03-01T10:00:00',
    status: 'completed',
    subtotal: 100,
    total: 100,
    coupon_codes: ['MAYA10'],
  }));
  await app.call(`${STORE}/orders/batch`, { method: 'POST', key: admin, json: { orders } });
  await app.call(`${STORE}/groups`, { method: 'POST', key: admin, json: { name: 'Big' } });
  const scans = new Map<string, string>();
  for (const template of Object.values(screens).flat()) {
    const path = template
      .replace(/BUSIEST|OTHER/, String(idOf('maya')))
      .replace('/coupons/1/', `/coupons/${coupon.body.id}/`);
    const statements = await statementsOf(async () => {
      const { status, text } = await app.call(path, { key: admin });
      assert.equal(status, 200, `${path}: ${text}`);
    });
    for (const statement of statements) {
      for (const scan of scannedBy(statement.sql, await planOf(statement)))
        scans.set(scan, template);
    }
  }
  const unexpected = [...scans].filter(
    ([scan]) => !meant.some((beginning) => scan.startsWith(beginning)),
  );
  assert.deepEqual(unexpected, []);
});
