import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CompiledQuery } from 'kysely';
import { statementsOf, type Recorded } from '../bench/recorded.ts';
import { screens } from '../bench/screen-calls.ts';
import { query } from '../src/db/statements/query.ts';
import { counting } from './growth/steps.ts';
import { idOf, openTestApp } from './support/harness.ts';

/**
 * SQLite plans a statement for an empty table as for a million rows, by the statistics that belong to the schema.
 * PostgreSQL has to avoid the plans of small tables.
 */
const app = await openTestApp();
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
  'ledger',
  'orders',
  'payout_changes',
  'payouts',
  'referrals',
  'registration_words',
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
  'Index Only Scan users by users_roster_due',
  'Index Only Scan coupons by coupons_roster_due',
  'Index Only Scan click_days by click_days_roster_due',
  'Index Only Scan registrations by registrations_one_pending',
  // The total of a list without a filter, counted along the smallest index: 100,000 entries take a few milliseconds.
  'SCAN roster USING COVERING INDEX roster_by_highest_unpaid: select count(*)',
  'SCAN coupons USING COVERING INDEX coupons_by_user: select count(*)',
  'SCAN registrations USING COVERING INDEX registrations_by_user: select count(*)',
];

/** A step of a plan that reads a table: what it is, and whether a condition limits what it reads. */
interface Step {
  readonly text: string;
  readonly table: string | undefined;
  readonly isIndexed: boolean;
  readonly isWhole: boolean;
}

const { dialect } = app.site.database;
const planOf = dialect.name === 'sqlite' ? planOfSqlite : planOfPostgres;

async function planOfSqlite({ sql, values }: Recorded[number]): Promise<Step[]> {
  const explained = query<object, { detail: string }>(() => ({
    compile: () => CompiledQuery.raw(`explain query plan ${sql}`, values),
  }));
  const aliases = new Map(
    [...sql.matchAll(/"(\w+)" as "(\w+)"/g)].map(([, of, name]) => [name, of]),
  );
  return (await app.site.database.read.all(explained, {})).map(({ detail: text }) => {
    const [, name, index] = /^SCAN (\w+)( USING (?:COVERING )?INDEX \w+)?/.exec(text) ?? [];
    const isIndexed = index !== undefined;
    return { text, table: aliases.get(name) ?? name, isIndexed, isWhole: name !== undefined };
  });
}

interface Node {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Index Cond'?: string;
  Plans?: Node[];
}

/**
 * PostgreSQL reads a small table whole, whatever its indexes. Without these plans it does so only if no index serves
 * the statement.
 */
const avoided = ['seqscan', 'hashjoin', 'mergejoin'];

async function planOfPostgres({ sql, values }: Recorded[number]): Promise<Step[]> {
  const explained = query<object, { 'QUERY PLAN': { Plan: Node }[] }>(() => ({
    compile: () => CompiledQuery.raw(`explain (format json) ${sql}`, values),
  }));
  const rows = await app.site.database.transaction(async (tx) => {
    for (const plan of avoided) await tx.execute(`set local enable_${plan} = off`);
    return tx.all(explained, {});
  });
  const stepsOf = (node: Node, isLimited = false): Step[] => {
    const { 'Node Type': type, 'Relation Name': table, 'Index Name': index } = node;
    const isIndexed = index !== undefined;
    const isScan = /^(Seq|Index|Index Only) Scan$/.test(type) && !node['Index Cond'];
    const isWhole = isScan && !(isIndexed && isLimited);
    const text = [type, table, ...(isIndexed ? ['by', index] : [])].join(' ');
    const inner = (node.Plans ?? []).flatMap((plan) => stepsOf(plan, type === 'Limit'));
    return [{ text, table, isIndexed, isWhole }, ...inner];
  };
  return rows.flatMap((row) => row['QUERY PLAN'].flatMap(({ Plan }) => stepsOf(Plan)));
}

/**
 * The large tables that a statement reads from end to end (along an index only if nothing limits it), or by every pair
 * of two lists of ids.
 */
function scannedBy(sql: string, plan: readonly Step[]): string[] {
  return plan.flatMap(({ text, table, isIndexed, isWhole }) => {
    const isLimited = isIndexed && sql.includes(' limit ');
    const isScan = isWhole && table !== undefined && large.has(table) && !isLimited;
    const isEveryPair = / AND rowid=\?/.test(text);
    return isScan || isEveryPair ? [`${text}: ${sql}`] : [];
  });
}

test('no call of a screen reads a large table from end to end', counting, async () => {
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
  const calls = Object.values(screens)
    .flat()
    .map((template) => ({ template, json: undefined as unknown }));
  const effects = { template: `${STORE}/settings/effects`, json: { 'payouts.threshold': 500 } };
  for (const { template, json: body } of [...calls, effects]) {
    const path = template
      .replace(/BUSIEST|OTHER/, String(idOf('maya')))
      .replace('/coupons/1/', `/coupons/${coupon.body.id}/`);
    const statements = await statementsOf(async () => {
      const post = body === undefined ? {} : { method: 'POST', json: body };
      const { status, text } = await app.call(path, { key: admin, ...post });
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
