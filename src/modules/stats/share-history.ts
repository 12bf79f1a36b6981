import type { Reader } from '../../db/database.ts';
import { Point } from '../../kernel/declare/point.ts';

export interface ShareSum {
  /** The affiliate whose shares they are. */
  readonly user_id: number;
  readonly day: string;
  readonly upline_commission: number;
}

/**
 * The shares of other affiliates' referrals that were posted to a coupon, summed by day, in pieces that take
 * a millisecond or two each. A day may occur in several pieces.
 */
export type ShareHistory = (db: Reader, couponId: number) => AsyncIterable<readonly ShareSum[]>;

export const shareHistories = new Point<ShareHistory>('stats.share-histories');
