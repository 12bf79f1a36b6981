import { sql, type SqlBool } from 'kysely';
import { runInBatches, updateBatch } from '../../db/statements/in-batches.ts';
import { instant, waitAfter } from '../../db/statements/instants.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { WAITS_MS_MAX } from './send-mails.ts';

const shorten = updateBatch<{ now: number }>('outbox', 'id', (p) => {
  const latest = sql`${instant(p.now)} + ${waitAfter(sql`attempts`, WAITS_MS_MAX)}`;
  return {
    set: sql`next_attempt_at = ${latest}`,
    where: sql<SqlBool>`state = 'pending' and next_attempt_at > ${p.now}
      and next_attempt_at > ${latest}`,
  };
});

/** After the system clock was set back, shortens waits that exceed the retry schedule. */
export function correctMailWaits({ database }: Site, now: number): Promise<void> {
  return runInBatches(database, shorten, { now });
}
