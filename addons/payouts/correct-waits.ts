import { sql, type SqlBool } from 'kysely';
import { updateInBatches } from '../../src/db/statements/in-batches.ts';
import { instant, waitAfter } from '../../src/db/statements/instants.ts';
import type { Site } from '../../src/kernel/declare/site.ts';
import { LEASE_MS } from './payment/call-gateway.ts';
import { waits } from './payment/settle-payout.ts';

const waitOf = sql<number>`case ${sql.join(
  Object.entries(waits).map(
    ([status, { ms }]) => sql`when status = ${sql.lit(status)} then ${waitAfter(sql`asks`, ms)}`,
  ),
  sql` `,
)} else 0 end`;

const shorten = updateInBatches<{ now: number }>('payouts', 'id', (p) => {
  const latest = sql`${instant(p.now)} + ${waitOf}`;
  return {
    set: sql`ask_at = ${latest}`,
    where: sql<SqlBool>`ask_at > ${p.now} and ask_at > ${latest}`,
  };
});

/**
 * The process that holds such a lease gets the time of one more lease to finish its call. Its lease has another value
 * by then, so an unclear answer is not applied, and the gateway is asked again.
 */
const endLeases = updateInBatches<{ now: number }>('payouts', 'id', (p) => {
  const latest = sql`${instant(p.now)} + ${sql.lit(LEASE_MS)}`;
  return {
    set: sql`leased_until = ${latest}`,
    where: sql<SqlBool>`ask_at is not null and leased_until > ${latest}`,
  };
});

/** Details with a future date count as changed now, so they are held no longer than others. */
const holdFromNow = updateInBatches<{ now: number }>('payout_details', 'user_id', (p) => ({
  set: sql`updated_at = ${p.now}`,
  where: sql<SqlBool>`updated_at > ${p.now}`,
}));

/** Shortens waits, leases and holds that a clock in the future made longer than their rules allow. */
export async function correctPayoutWaits({ database }: Site, now: number): Promise<void> {
  for (const statement of [shorten, endLeases, holdFromNow]) {
    await statement(database, { now });
  }
}
