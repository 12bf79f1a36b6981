import { sql, type Kysely } from 'kysely';
import type { Transaction } from '../../db/database.ts';
import { query } from '../../db/query.ts';
import type { RateColumns, Tables } from '../../db/tables.ts';
import type { Site } from '../../kernel/site.ts';
import { findCreditedClick } from '../clicks/index.ts';
import { groupRateColumns, type GroupRateColumns } from '../coupons/index.ts';
import type { PreparedOrder } from './order-input.ts';
import { lifetimeAttribution } from './settings.ts';

export type Via = 'coupon' | 'link' | 'lifetime' | 'manual';

/** A coupon in force, of an affiliate who is not suspended, with the rates of its owner's groups. */
export interface Candidate extends RateColumns, GroupRateColumns {
  id: number;
  user_id: number;
  owner_email: string;
}

/** Coupons by code, as far as one transaction has looked them up: a batch uses few, many times. */
export type KnownCoupons = Map<string, Candidate | undefined>;

function candidates(db: Kysely<Tables>) {
  return db
    .selectFrom('coupons')
    .innerJoin('users', 'users.id', 'coupons.user_id')
    .leftJoin('affiliates', 'affiliates.user_id', 'coupons.user_id')
    .select([
      'coupons.id',
      'coupons.user_id',
      'coupons.percent',
      'coupons.fixed_per_order',
      'coupons.fixed_per_product',
      'users.email_folded as owner_email',
    ])
    .select(groupRateColumns)
    .where('coupons.status', '=', 'active')
    .where((eb) => eb(eb.fn.coalesce('affiliates.status', sql.lit('active')), '=', 'active'));
}

/** Codes are not unique: the oldest coupon that is in force gets the order. */
const byCode = query<{ code: string }, Candidate>(
  (db, p) =>
    candidates(db)
      .where('coupons.code_folded', '=', p.code)
      .orderBy('coupons.id')
      .limit(1) as never,
);

const byId = query<{ id: number }, Candidate>(
  (db, p) => candidates(db).where('coupons.id', '=', p.id) as never,
);

const lifetimeOf = query<{ customer_hash: string }, { coupon_id: number }>((db, p) =>
  db
    .selectFrom('lifetime_customers')
    .select('coupon_id')
    .where('customer_hash', '=', p.customer_hash),
);

const rememberCustomer = query<{ customer_hash: string; coupon_id: number }>((db, p) =>
  db
    .insertInto('lifetime_customers')
    .values({ customer_hash: p.customer_hash, coupon_id: p.coupon_id })
    .onConflict((conflict) => conflict.column('customer_hash').doNothing()),
);

const codeOf = query<{ id: number }, { code_folded: string }>((db, p) =>
  db.selectFrom('coupons').select('code_folded').where('id', '=', p.id),
);

/** Whether a coupon's code is in the order, whatever has become of the coupon since. */
export async function isCouponUsed(
  tx: Transaction,
  couponId: number,
  order: PreparedOrder,
): Promise<boolean> {
  const coupon = await tx.first(codeOf, { id: couponId });
  return coupon !== undefined && order.codes.includes(coupon.code_folded);
}

/**
 * Whom an order is credited to: the coupons used in it; else the referral link's click within the
 * cookie window; else the customer's lifetime affiliate, where that is switched on.
 */
export async function attribute(
  tx: Transaction,
  site: Site,
  order: PreparedOrder,
  known: KnownCoupons,
): Promise<{ coupon: Candidate; via: Via; clickId: number | null }[]> {
  const click = await creditedClick(tx, site, order);
  const credit = (coupon: Candidate, via: Via) => ({
    coupon,
    via,
    // A conversion of the click, also where the coupon itself was used.
    clickId: click?.coupon_id === coupon.id ? click.id : null,
  });
  const used: Candidate[] = [];
  for (const code of order.codes) {
    if (!known.has(code)) known.set(code, await tx.first(byCode, { code }));
    const coupon = known.get(code);
    if (coupon && !used.some((other) => other.id === coupon.id)) used.push(coupon);
  }
  if (used.length > 0) return used.map((coupon) => credit(coupon, 'coupon'));

  const clicked = click && (await tx.first(byId, { id: click.coupon_id }));
  if (clicked) return [credit(clicked, 'link')];

  if (!site.settings.get(lifetimeAttribution) || order.customerHash === null) return [];
  const kept = await tx.first(lifetimeOf, { customer_hash: order.customerHash });
  const coupon = kept && (await tx.first(byId, { id: kept.coupon_id }));
  return coupon ? [credit(coupon, 'lifetime')] : [];
}

async function creditedClick(tx: Transaction, site: Site, order: PreparedOrder) {
  if (order.clickId === null) return undefined;
  return findCreditedClick(tx, site, { clickId: order.clickId }, order.placedAtMs);
}

/** The first coupon that brought a customer keeps them. */
export async function rememberLifetime(
  tx: Transaction,
  order: PreparedOrder,
  couponId: number,
): Promise<void> {
  if (order.customerHash === null) return;
  await tx.run(rememberCustomer, { customer_hash: order.customerHash, coupon_id: couponId });
}
