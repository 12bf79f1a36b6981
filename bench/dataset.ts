import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { dataFolder } from '../src/installation/data-folder.ts';
import { invoke } from '../src/kernel/call/invoke.ts';
import type { Site } from '../src/kernel/declare/site.ts';
import { createKey } from '../src/modules/keys/index.ts';
import { changeSettings } from '../src/modules/settings/index.ts';
import { createUser } from '../src/modules/users/index.ts';
import { makeOrders } from '../src/tools/generate/bulk-orders.ts';
import { openStore, type Store } from './engine.ts';
import { options } from './options.ts';
import { scale } from './scale.ts';

const CACHE = join(import.meta.dirname, '../node_modules/.cache/bench');
/** Increment it when datasets are generated differently. */
const RECIPE = '2';
const { coupons: COUPONS, affiliates: AFFILIATES, keys: KEYS } = scale;
/** Nine in ten orders with a coupon use the first coupon; the rest spread over the others. */
const OTHER_COUPONS = scale.couponsWithOrders;
const CODES = [
  ...Array.from({ length: 4 * OTHER_COUPONS }, () => 'CODE1'),
  ...Array.from({ length: OTHER_COUPONS }, (_, i) => `CODE${i + 2}`),
];

/** A store in a SQLite file, cached between runs. */
export async function datasetOf(orders: number): Promise<Store> {
  const data = join(await cacheFolder(), String(orders));
  const tokenFile = join(data, 'bench-token');
  if (!existsSync(tokenFile)) await make(orders, data);
  return { orders, data, databaseUrl: '', token: readFileSync(tokenFile, 'utf8') };
}

let folder: string | undefined;

/** The cache folder of this schema. Folders of other schemas take gigabytes and are removed. */
export async function cacheFolder(): Promise<string> {
  if (folder !== undefined) return folder;
  if (options.smoke) return (folder = temporaryFolder());
  const key = await schemaKey();
  mkdirSync(CACHE, { recursive: true });
  for (const other of readdirSync(CACHE).filter((name) => name !== key)) {
    rmSync(join(CACHE, other), { recursive: true, force: true });
  }
  return (folder = join(CACHE, key));
}

async function make(orders: number, data: string): Promise<void> {
  console.log(`making ${orders.toLocaleString('en')} orders, once …`);
  // Renamed when it is complete, so an interrupted run leaves no partial store.
  const making = `${data}.making`;
  rmSync(making, { recursive: true, force: true });
  mkdirSync(making, { recursive: true });
  const app = await openStore({ data: making, databaseUrl: '' });
  const { site } = app;
  const admin = await site.database.transaction((tx) =>
    createUser(tx, site, {
      login: 'bench',
      email: 'bench@bench.example',
      role: 'administrator',
      passwordHash: null,
    }),
  );
  await invoke(site, changeSettings, { 'api.rate_per_minute': '1000000000' });
  for (let i = 0; i < KEYS; i++) await invoke(site, createKey, { user_id: admin.id });
  await fillCoupons(site, admin.id);
  const startedMs = performance.now();
  await makeOrders(site, { orders, days: 365, codes: CODES, firstId: 1 }, () => {});
  const perSecond = orders / ((performance.now() - startedMs) / 1000);
  console.log(`… ${Math.round(perSecond).toLocaleString('en')} orders a second`);
  // A service on this store would otherwise catch up in the background while the first reads are measured.
  for (const job of site.registry.activeModules().flatMap(({ jobs = [] }) => jobs)) {
    await job.run(site);
  }
  const key = { user_id: admin.id, scopes: 'read,write,manage' };
  const { token } = await invoke<{ token: string }>(site, createKey, key);
  await app.close();
  writeFileSync(join(making, 'bench-token'), token, { mode: 0o600 });
  renameSync(making, data);
}

/** Inserts people and coupons directly: only reading them is measured. */
async function fillCoupons(site: Site, lastUserId: number): Promise<void> {
  const upTo = (n: number) =>
    `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${n})`;
  await site.database.transaction(async (tx) => {
    await tx.execute(`insert into users
      (login, login_folded, email, email_folded, display_name, display_name_folded, role, created_at)
      ${upTo(AFFILIATES)} select 'user' || i, 'user' || i, 'user' || i || '@bench.example',
      'user' || i || '@bench.example', 'User ' || i, 'user ' || i, 'affiliate', ${Date.now()} from n`);
    await tx.execute(`insert into coupons (code, code_folded, user_id, status, created_at)
      ${upTo(COUPONS)} select 'CODE' || i, 'code' || i, ${lastUserId} + 1 + i % ${AFFILIATES},
      'active', ${Date.now()} from n`);
  });
}

function temporaryFolder(): string {
  const made = mkdtempSync(join(tmpdir(), 'tributary-bench-'));
  process.once('exit', () => rmSync(made, { recursive: true, force: true }));
  return made;
}

/** A changed schema or recipe needs a new dataset. */
async function schemaKey(): Promise<string> {
  const data = mkdtempSync(join(tmpdir(), 'tributary-bench-'));
  try {
    await (await openStore({ data, databaseUrl: '' })).close();
    const db = new DatabaseSync(dataFolder(data).databaseFile, { readOnly: true });
    const schema = db.prepare('select sql from sqlite_schema order by name').all();
    db.close();
    return createHash('sha256')
      .update(JSON.stringify(schema))
      .update(RECIPE)
      .digest('hex')
      .slice(0, 12);
  } finally {
    rmSync(data, { recursive: true, force: true });
  }
}
