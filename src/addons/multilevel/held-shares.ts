import { sql } from 'kysely';
import { updateInBatches } from '../../db/statements/in-batches.ts';
import { instant } from '../../db/statements/instants.ts';
import { query } from '../../db/statements/query.ts';
import type { Site } from '../../kernel/declare/site.ts';
import {
  DELAY_MS_MAX,
  QUARTER_HOUR_MS,
  toKeys,
  tooLate,
  type HeldSum,
  type HeldSums,
} from '../../modules/orders/index.ts';

const onAccounts = query<ReturnType<typeof toKeys>, HeldSum>((db, p, _given, dialect) => {
  const quarter = sql<number>`release_at / ${sql.lit(QUARTER_HOUR_MS)}`;
  return db
    .selectFrom('mla_shares')
    .select((eb) => [
      'upline_coupon_id as coupon_id',
      quarter.as('quarter'),
      eb.fn.sum<number>('awaiting').as('amount'),
    ])
    .where(dialect.inJsonArray('upline_coupon_id', p.coupon_ids, 'number'))
    .where('release_at', 'is not', null)
    .where('upline_id', '=', p.user_id)
    .groupBy(['upline_coupon_id', quarter]);
});

/** Shares are held back together with the commission that they are a share of. */
export const heldShares: HeldSums = (db, accounts) => db.all(onAccounts, toKeys(accounts));

const shorten = updateInBatches<{ now: number }>('mla_shares', 'order_id', (p) => {
  const latest = sql`${instant(p.now)} + ${sql.lit(DELAY_MS_MAX)}`;
  return { set: sql`release_at = ${latest}`, where: tooLate(latest) };
});

/** As for the commissions themselves: no share is held longer than the longest delay that can be set. */
export function correctReleases({ database }: Site, now: number): Promise<void> {
  return shorten(database, { now });
}
