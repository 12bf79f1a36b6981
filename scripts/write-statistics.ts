import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pino } from 'pino';
import { openApp } from '../src/app.ts';
import { resolveConfig } from '../src/installation/config.ts';
import { makeOrders } from '../src/tools/generate/bulk-orders.ts';
import { createCoupons } from '../src/tools/generate/generate.ts';
import { fill, notFilled } from '../test/growth/fill.ts';
import { countStatistics, statisticsFile } from '../test/schema/planner-statistics.ts';

/**
 * Writes the statistics by which SQLite plans every statement in every installation, from a large store: generated
 * orders of 200 affiliates, and as many rows in each table that they leave empty. The same schema gives the same file.
 */
const ROWS = 20_000;
const COUPONS = 1_000;
const DAYS = 400;
const NOW_MS = Date.UTC(2026, 0, 1);

const folder = mkdtempSync(join(tmpdir(), 'tributary-statistics-'));
// Opening a store reads the file, which may be in the middle of a merge.
writeFileSync(statisticsFile, '{}\n');
try {
  const { config } = resolveConfig({ data: join(folder, 'data') }, {});
  const log = pino({ level: 'silent' });
  const { site, close, ...app } = await openApp({ config, log, clock: () => NOW_MS });
  const codes = await createCoupons(site, COUPONS, 1);
  await makeOrders(site, { orders: ROWS, days: DAYS, codes, firstId: 1 }, () => {});
  // What is due after so many orders is no longer due a minute later.
  for (const { jobs = [] } of site.registry.modules) for (const job of jobs) await job.run(site);
  await close();
  const db = new DatabaseSync(app.folder.databaseFile);
  const isEmpty = (table: string) => !db.prepare(`select 1 from "${table}"`).get();
  fill(db, { rows: ROWS }, NOW_MS, (table) => !(table in notFilled) && isEmpty(table));
  const counted = countStatistics(db);
  db.close();
  writeFileSync(statisticsFile, `${JSON.stringify(counted, null, 2)}\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
