import { sql } from 'kysely';
import type { Reader } from '../../db/database.ts';
import { readAll } from '../../db/statements/calls.ts';
import { long } from '../../db/statements/query.ts';
import { toOwnerId } from '../coupons/index.ts';
import { ROWS_AT_ONCE } from './audit-slices.ts';
import type { Difference } from './difference.ts';

interface Place {
  order_id: number;
  coupon_id: number;
}

const BEGINNING: Place = { order_id: 0, coupon_id: 0 };

interface Referral extends Place {
  user_id: number;
  granted: number;
}

const referralsAfter = readAll<Place, Referral>(
  (db, p) =>
    db
      .selectFrom('referrals')
      .select(['order_id', 'coupon_id', 'user_id', 'granted'])
      .where(sql<boolean>`(order_id, coupon_id) > (${p.order_id}, ${p.coupon_id})`)
      .orderBy('order_id')
      .orderBy('coupon_id')
      .limit(sql.lit(ROWS_AT_ONCE)),
  long,
);

const ownersAfter = readAll<
  { after: number },
  { id: number; coupon_id: number; user_id: number | null }
>(
  (db, p) =>
    db
      .selectFrom('coupon_owners')
      .select(['id', 'coupon_id', 'user_id'])
      .where('id', '>', p.after)
      .orderBy('id')
      .limit(sql.lit(ROWS_AT_ONCE)),
  long,
);

const keyOf = (row: { coupon_id: number; user_id: number | null }) =>
  `${row.coupon_id} ${toOwnerId(row.user_id)}`;

async function readOwners(db: Reader): Promise<Set<string>> {
  const owners = new Set<string>();
  for (let after = 0; ;) {
    const rows = await ownersAfter(db, { after });
    for (const row of rows) owners.add(keyOf(row));
    if (rows.length < ROWS_AT_ONCE) return owners;
    after = rows.at(-1)!.id;
  }
}

/** An order is on an account that exists: that of an affiliate who has, or had, its coupon. */
export async function auditOwners(db: Reader): Promise<Difference[]> {
  const owners = await readOwners(db);
  const strangers = new Map<string, Difference>();
  for (let after = BEGINNING; ;) {
    const rows = await referralsAfter(db, after);
    for (const row of rows) {
      const key = keyOf(row);
      if (owners.has(key)) continue;
      const { coupon_id, user_id: affiliate_id, granted } = row;
      const found = strangers.get(key);
      if (found) found.stored += granted;
      else {
        const account = { coupon_id, affiliate_id, payout_id: null };
        strangers.set(key, {
          ...account,
          pool: 'unpaid',
          stored: granted,
          recomputed: 0,
          from: 'owners',
        });
      }
    }
    if (rows.length < ROWS_AT_ONCE) return [...strangers.values()];
    after = rows.at(-1)!;
  }
}
