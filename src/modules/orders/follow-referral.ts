import type { Transaction } from '../../db/database.ts';
import { Point } from '../../kernel/point.ts';
import type { Site } from '../../kernel/site.ts';
import type { Fraction } from '../../shared/money.ts';
import type { ReferralRow } from './order-store.ts';
import type { Sending } from './sending.ts';

/** A referral that was just settled. */
export interface SettledReferral {
  readonly before: ReferralRow | undefined;
  readonly after: ReferralRow;
  /** What the percentages were taken of, in minor units; undefined where it is as before. */
  readonly base: Fraction | undefined;
}

/** What else a referral brings about, in the same transaction. */
export type ReferralFollower = (
  tx: Transaction,
  site: Site,
  referral: SettledReferral,
  sending: Sending,
) => Promise<void>;

export const referralFollowers = new Point<ReferralFollower>('orders.referral-followers');
