import Type from 'typebox';
import type { Site } from '../../kernel/declare/site.ts';
import type { NewClick } from './click-store.ts';

export const CAMPAIGN_LENGTH_MAX = 100;
export const CAMPAIGN_PATTERN = '^[^\\u0000-\\u001f\\u007f-\\u009f]*$';

/**
 * How many campaigns of a coupon are told apart on one day. Each makes a row that stays for ever, and
 * anyone can make up names in a link; clicks with further names count under one common name.
 */
export const CAMPAIGNS_PER_DAY = 200;
export const OTHER_CAMPAIGNS = '(other)';

/** Any text by which a store or a link knows a visitor again. */
export const VisitorId = (description: string) =>
  Type.String({ minLength: 1, maxLength: 200, description });

export interface Clicked {
  couponId: number;
  campaign: string;
  visitor: string | undefined;
  atMs: number;
}

/** A click as it is kept: nobody can be told from it. */
export function toClick(site: Site, { couponId, campaign, visitor, atMs }: Clicked): NewClick {
  return {
    coupon_id: couponId,
    campaign,
    visitor_hash: visitor === undefined ? null : hashVisitor(site, visitor),
    clicked_at: atMs,
    recorded_at: site.clock(),
    day: site.calendar.dayOf(atMs),
  };
}

/** Enough to know a visitor again, of no use to anyone else. */
export function hashVisitor(site: Site, visitor: string): string {
  return site.keyring.hash('visitor', visitor);
}
