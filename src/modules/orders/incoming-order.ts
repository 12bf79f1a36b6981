import type { PreparedOrder } from './order-input.ts';
import type { OrderRow, ReferralRow } from './order-rows.ts';
import type { ChangeContext } from './settle-referral.ts';

export interface IncomingOrder {
  readonly order: PreparedOrder;
  readonly context: ChangeContext;
  /** The sender saw the stored version later than this one: if both have the same time, the stored one stays. */
  readonly isSeenEarlier?: boolean;
  /** It belongs to a history, whose orders come in any order: it is decided afterwards, by `decideHistory`. */
  readonly isHistory?: boolean;
  /** The stored version, to be settled again. Without `grants` no commission becomes payable by that. */
  readonly again?: { readonly grants: boolean };
}

export interface StoredOrder {
  readonly isNew: boolean;
  /** Whether anything was stored: false for the same order again, and for an older version. */
  readonly isChanged: boolean;
  /** Whether it is new or another version by its time of change, and was not only stored with more details. */
  readonly isNewVersion: boolean;
  readonly order: OrderRow;
  readonly referrals: readonly ReferralRow[];
}
