import type { Transaction } from '../../db/database.ts';
import { Point } from '../../kernel/declare/point.ts';
import type { Site } from '../../kernel/declare/site.ts';
import type { Fraction } from '../../shared/money.ts';
import type { GatheredEvents } from '../events/index.ts';
import type { GatheredMovements } from '../ledger/index.ts';
import type { FigureChanges } from './figures.ts';
import type { ReferralRow } from './order-store.ts';
import type { Sending } from './sending.ts';

/** A referral that was just settled. */
export interface SettledReferral {
  readonly before: ReferralRow | undefined;
  readonly after: ReferralRow;
  /** What the percentages were taken of, in minor units; undefined where it is as before. */
  readonly base: Fraction | undefined;
}

/** Which referrals a transaction may settle. */
export interface ReferralScope {
  /** The orders that have referrals by now. */
  readonly orderIds: ReadonlySet<number>;
  /** The affiliates who may get new ones. */
  readonly affiliateIds: ReadonlySet<number>;
}

/** What else referrals bring about, in the same transaction. */
export interface ReferralFollower {
  /** Reads what it takes to follow them: once, however many there are. */
  begin(tx: Transaction, site: Site, scope: ReferralScope): Promise<Following>;
}

export interface Following {
  /** Called for one referral after the other, for the same one as often as it is settled. */
  follow(
    referral: SettledReferral,
    sending: Sending,
    changes: {
      readonly movements: GatheredMovements;
      readonly events: GatheredEvents;
      readonly figures: Pick<FigureChanges, 'moveShare'>;
    },
  ): void;
  /** Writes what is its own; movements, events and figures are written for it. */
  write(tx: Transaction): Promise<void>;
}

export const referralFollowers = new Point<ReferralFollower>('orders.referral-followers');
