import { sql } from 'kysely';
import type { Reader } from '../../db/database.ts';
import { query } from '../../db/statements/query.ts';
import type { RowOf } from '../../db/tables.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { fractionOf, roundedTimes } from '../../shared/money.ts';
import { toDiscount, type Discount, type RateColumns } from '../groups/index.ts';
import {
  commissionFixedPerOrder,
  commissionFixedPerProduct,
  commissionPercent,
} from './settings.ts';

export interface EffectiveRate {
  readonly value: number;
  readonly source: 'coupon' | 'group' | 'store';
}

/** Fixed amounts are minor units of the store's currency. */
export interface EffectiveRates {
  readonly percent: EffectiveRate;
  readonly fixedPerOrder: EffectiveRate;
  readonly fixedPerProduct: EffectiveRate;
}

const ofGroups = query<{ user_id: number }, RateColumns>((db, p) =>
  db
    .selectFrom('affiliate_groups')
    .innerJoin('groups', 'groups.id', 'affiliate_groups.group_id')
    .select(['groups.percent', 'groups.fixed_per_order', 'groups.fixed_per_product'])
    .where('affiliate_groups.user_id', '=', p.user_id)
    .orderBy('groups.id'),
);

const groupRate = (column: keyof RateColumns, owner = 'coupons.user_id') =>
  sql`(select ${sql.ref(`groups.${column}`)} from affiliate_groups
    join groups on groups.id = affiliate_groups.group_id
    where affiliate_groups.user_id = ${sql.ref(owner)} and ${sql.ref(`groups.${column}`)} is not null
    order by affiliate_groups.group_id limit 1)`.as(`group_${column}`);

export const groupPercentColumn = groupRate('percent');

/** Columns `group_percent`, … with the rates of an affiliate's groups, so that one statement reads them all. */
export const groupRateColumnsOf = (owner: string) =>
  (['percent', 'fixed_per_order', 'fixed_per_product'] as const).map((column) =>
    groupRate(column, owner),
  );

export const groupRateColumns = groupRateColumnsOf('coupons.user_id');

export interface GroupRateColumns {
  group_percent: string | null;
  group_fixed_per_order: number | null;
  group_fixed_per_product: number | null;
}

/** Presents the columns of `groupRateColumns` to `chooseRates` as one group. */
export function asGroup(row: GroupRateColumns): RateColumns {
  return {
    percent: row.group_percent,
    fixed_per_order: row.group_fixed_per_order,
    fixed_per_product: row.group_fixed_per_product,
  };
}

export async function effectiveRates(
  db: Reader,
  site: Site,
  coupon: Pick<RowOf<'coupons'>, 'user_id' | keyof RateColumns>,
): Promise<EffectiveRates> {
  const groups =
    coupon.user_id === null || setsEveryRate(coupon)
      ? []
      : await db.all(ofGroups, { user_id: coupon.user_id });
  return chooseRates(site, coupon, groups);
}

/**
 * Chooses each rate separately: the coupon's own, else that of its owner's groups (of several groups
 * that set it, the one with the lowest id), else the store's.
 */
export function chooseRates(
  site: Site,
  coupon: RateColumns,
  groups: readonly RateColumns[],
): EffectiveRates {
  const { settings } = site;
  const choose = (name: keyof RateColumns, ofStore: number) =>
    chooseRate(coupon[name], groups.find((rates) => rates[name] !== null)?.[name], ofStore);
  return {
    percent: choose('percent', settings.get(commissionPercent)),
    fixedPerOrder: choose('fixed_per_order', toMinor(site, settings.get(commissionFixedPerOrder))),
    fixedPerProduct: choose(
      'fixed_per_product',
      toMinor(site, settings.get(commissionFixedPerProduct)),
    ),
  };
}

/** Chooses the percentage only, because the record of a coupon shows no other effective rate. */
export function choosePercent(
  site: Site,
  coupon: Pick<RateColumns, 'percent'>,
  ofGroup: string | null,
): number {
  return chooseRate(coupon.percent, ofGroup, site.settings.get(commissionPercent)).value;
}

type StoredRate = string | number | null | undefined;

function chooseRate(ofCoupon: StoredRate, ofGroup: StoredRate, ofStore: number): EffectiveRate {
  if (ofCoupon !== null) return { value: Number(ofCoupon), source: 'coupon' };
  if (ofGroup !== null && ofGroup !== undefined) return { value: Number(ofGroup), source: 'group' };
  return { value: ofStore, source: 'store' };
}

function setsEveryRate(rates: RateColumns): boolean {
  return (
    rates.percent !== null && rates.fixed_per_order !== null && rates.fixed_per_product !== null
  );
}

/** Rounds, because a setting may have more decimals than the currency. */
function toMinor(site: Site, major: number): number {
  return roundedTimes(10 ** site.currency.decimals, fractionOf(major));
}

const discounts = query<{ id: number }, { own: string | null; of_group: string | null }>((db, p) =>
  db
    .selectFrom('coupons')
    .select([
      'discount as own',
      sql<string | null>`(select groups.discount from affiliate_groups
        join groups on groups.id = affiliate_groups.group_id
        where affiliate_groups.user_id = coupons.user_id and groups.discount is not null
        order by affiliate_groups.group_id limit 1)`.as('of_group'),
    ])
    .where('id', '=', p.id),
);

/** What customers get off with a coupon: its own discount, otherwise that of a group; null for that of the store. */
export async function findDiscount(db: Reader, id: number): Promise<Discount | null> {
  const found = await db.first(discounts, { id });
  return toDiscount(found?.own ?? found?.of_group ?? null);
}
