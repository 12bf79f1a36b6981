import type { Generated } from 'kysely';

export type SourceKind = 'sub1' | 'creative';

export interface ClicksTable {
  id: Generated<number>;
  coupon_id: number;
  campaign: string;
  visitor_hash: string | null;
  clicked_at: number;
  /** When it was received: stores also send clicks of their history. */
  recorded_at: Generated<number>;
  day: string;
  /** The order of the conversion. */
  order_id: number | null;
  /** Creative and sub-ids of the link as JSON; null without any. */
  source: Generated<string | null>;
}

/** Creative and sub-ids of the click that led to an order, because clicks are removed. Only where the link had any. */
export interface OrderSourcesTable {
  order_id: number;
  coupon_id: number;
  click_id: number;
  creative_id: number | null;
  sub1: string;
  sub2: string;
  sub3: string;
  sub4: string;
  sub5: string;
}

/** The clicks of each coupon by creative and by first sub-id. */
export interface SourceDaysTable {
  coupon_id: number;
  day: string;
  kind: SourceKind;
  /** The number of the creative, or the sub-id. */
  name: string;
  clicks: number;
  conversions: number;
}

/** The clicks of all coupons by creative. */
export interface CreativeDaysTable {
  creative_id: number;
  day: string;
  clicks: number;
  conversions: number;
}

export interface ClickDaysTable {
  coupon_id: number;
  campaign: string;
  day: string;
  clicks: Generated<number>;
  conversions: Generated<number>;
  /** 1 while the roster has not added its clicks since they changed. */
  roster_due: Generated<number>;
}

/** The clicks of each coupon by month, so that a report of a year does not have to add up the days of each campaign. */
export interface ClickMonthsTable {
  coupon_id: number;
  /** Like `2026-03`. */
  month: string;
  clicks: number;
  conversions: number;
}

/** The clicks of all coupons, so that figures of the program do not have to add up the days of each coupon. */
export interface CampaignDaysTable {
  day: string;
  campaign: string;
  clicks: Generated<number>;
  conversions: Generated<number>;
}

/** Clicks by landing page and day. */
export interface LandingDaysTable {
  day: string;
  path: string;
  clicks: number;
}

declare module '../../db/tables.ts' {
  interface Tables {
    clicks: ClicksTable;
    click_days: ClickDaysTable;
    click_months: ClickMonthsTable;
    campaign_days: CampaignDaysTable;
    landing_days: LandingDaysTable;
    order_sources: OrderSourcesTable;
    source_days: SourceDaysTable;
    creative_days: CreativeDaysTable;
  }
}
