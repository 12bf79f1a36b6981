import { sql } from 'kysely';

export const orderSorts = [
  '-date',
  'date',
  '-amount',
  'amount',
  '-commission',
  'commission',
] as const;
export type OrderSort = (typeof orderSorts)[number];

/** How far a list reaches: further pages are found by a narrower filter. See docs/decisions/0030. */
export const LISTED_MAX = 2_000;

export interface Bounds {
  /** A JSON array of coupons that an order is credited to. */
  coupon_ids?: string | undefined;
  status?: string | undefined;
  from_ms?: number | undefined;
  to_ms?: number | undefined;
  min_total?: number | undefined;
  max_total?: number | undefined;
}

export interface Found {
  order_id: number;
}

export type Direction = 'asc' | 'desc';
export type Given = (name: keyof Bounds) => boolean;
export type Bound = { [K in keyof Bounds]-?: Exclude<Bounds[K], undefined> };

export const limit = sql.lit(LISTED_MAX + 1);

/** A range with fewer orders than this is read completely and sorted, instead of searched in the order of the sort. */
export const NARROW_MAX = 10_000;
