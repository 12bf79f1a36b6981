import Type from 'typebox';
import type { RowOf } from '../../db/tables.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { isStorable } from '../../shared/storable.ts';

export const CAMPAIGN_LENGTH_MAX = 100;
export const CAMPAIGN_PATTERN = '^[^\\u0000-\\u001f\\u007f-\\u009f]*$';

/**
 * Campaigns, and as many first sub-ids, that are counted separately per coupon and day. Each adds a row that is never removed, and
 * anyone can invent campaign names in a link, so further ones are counted as `OTHER_CAMPAIGNS`.
 */
export const CAMPAIGNS_PER_DAY = 200;
export const OTHER_CAMPAIGNS = '(other)';
export const OTHER_SUBS = '(other)';

const CAMPAIGN = new RegExp(CAMPAIGN_PATTERN);

/** The campaign that a link names. An invalid one counts as none, so that the click is not lost. */
export function campaignOf(given: unknown): string {
  const fits =
    typeof given === 'string' &&
    given.length <= CAMPAIGN_LENGTH_MAX &&
    CAMPAIGN.test(given) &&
    isStorable(given);
  return fits ? given : '';
}

/** Any text that identifies a returning visitor to the store. */
export const VisitorId = (description: string) =>
  Type.String({ minLength: 1, maxLength: 200, description });

export interface ClickInput {
  couponId: number;
  campaign: string;
  visitor: string | undefined;
  atMs: number;
}

export type NewClick = Omit<RowOf<'clicks'>, 'id' | 'order_id' | 'source'>;

/** The row to insert. It identifies no person: the visitor is stored as a keyed hash. */
export function toClick(site: Site, { couponId, campaign, visitor, atMs }: ClickInput): NewClick {
  return {
    coupon_id: couponId,
    campaign,
    visitor_hash: visitor === undefined ? null : hashVisitor(site, visitor),
    clicked_at: atMs,
    recorded_at: site.clock(),
    day: site.calendar.dayOf(atMs),
  };
}

/** A keyed hash recognises a returning visitor and is useless without this installation's key. */
export function hashVisitor(site: Site, visitor: string): string {
  return site.keyring.hash('visitor', visitor);
}
