import { sql, type SqlBool } from 'kysely';
import { runInBatches, updateBatch } from '../../../db/statements/in-batches.ts';
import { instant } from '../../../db/statements/instants.ts';
import type { Site } from '../../../kernel/declare/site.ts';
import { DELAY_MS_MAX } from '../settings.ts';

const shorten = updateBatch<{ now: number }>('referrals', 'order_id', (p) => {
  const latest = sql`${instant(p.now)} + ${sql.lit(DELAY_MS_MAX)}`;
  return { set: sql`release_at = ${latest}`, where: sql<SqlBool>`release_at > ${latest}` };
});

/**
 * Limits held commissions to the longest delay that can be set. The delay is in calendar days, of the setting
 * as it was, so this does not correct differences of an hour.
 */
export function correctReleases({ database }: Site, now: number): Promise<void> {
  return runInBatches(database, shorten, { now });
}
