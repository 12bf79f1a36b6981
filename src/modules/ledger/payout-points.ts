import type { Reader, Transaction } from '../../db/database.ts';
import { Point } from '../../kernel/declare/point.ts';
import type { Site } from '../../kernel/declare/site.ts';

/** What payouts have of the commission of an order. */
export interface TakenCommission {
  /** What has left, or may have, in minor units: it is paid, at a gateway or in a file for a bank. */
  readonly sent: number;
  /** The other payouts that have some of it: not those that were cancelled or have failed. */
  readonly unsent: readonly number[];
}

/** By order, as far as payouts have some of it. Locks the payouts: they are not sent before the transaction ends. */
export type FindTakenCommission = (
  tx: Transaction,
  commission: { readonly coupon_id: number; readonly orderIds: ReadonlySet<number> },
) => Promise<ReadonlyMap<number, TakenCommission>>;

export const takenCommissions = new Point<FindTakenCommission>('ledger.taken-commissions');

/** By the id of a payout, why it must not be paid now. */
export type ObjectToPayouts = (
  db: Reader,
  payoutIds: readonly number[],
) => Promise<ReadonlyMap<number, string>>;

export const payoutObjections = new Point<ObjectToPayouts>('ledger.payout-objections');

/** A payout that an administrator approves or records as paid: bookkeeping, which no objection refuses. */
interface RecordedPayout {
  readonly id: number;
  readonly status: string;
}

/** Notes that payouts were approved or recorded as paid although there is an objection. */
type NoteRecorded = (
  tx: Transaction,
  payouts: readonly RecordedPayout[],
  context: { readonly actorId: number; readonly nowMs: number },
) => Promise<void>;

export const payoutRecords = new Point<NoteRecorded>('ledger.payout-records');

/** A payout that was taken back. */
interface ReturnedPayout {
  readonly id: number;
  readonly coupon_id: number;
  readonly requested_at: number;
  /** Whether its amount is in the unpaid balance again: it was cancelled or has failed. */
  readonly isGivenBack: boolean;
}

/** Runs after a payout was taken back: money that had left, or was about to, is there again. */
type ReceiveReturn = (
  tx: Transaction,
  site: Site,
  payout: ReturnedPayout,
  context: { readonly actorId: number; readonly nowMs: number },
) => Promise<void>;

export const payoutReturns = new Point<ReceiveReturn>('ledger.payout-returns');

/** By affiliate, the name of the holder of the account that payouts go to, as `foldName` gives it; none without one. */
export type PayoutHolders = (
  db: Reader,
  site: Site,
  userIds: ReadonlySet<number>,
) => Promise<ReadonlyMap<number, string>>;

export const payoutHolders = new Point<PayoutHolders>('ledger.payout-holders');

/** A payout that is about to be opened. */
interface RequestedPayout {
  readonly user_id: number;
  /** The address of the affiliate. */
  readonly email: string;
  /** Whether no payout of the affiliate was approved before. */
  readonly isFirst: boolean;
}

/**
 * Looks at a payout before it is opened. If it must not be paid at once, the result is called with the payout, which no
 * gateway gets in this transaction.
 */
export type CheckPayoutRequest = (
  tx: Transaction,
  site: Site,
  payout: RequestedPayout,
  nowMs: number,
) => Promise<((payoutId: number) => Promise<void>) | undefined>;

export const payoutRequests = new Point<CheckPayoutRequest>('ledger.payout-requests');

/** By affiliate, the first other one that is paid to the same account, except those in `known`. */
export type FindSamePayee = (
  db: Reader,
  userIds: readonly number[],
  known?: readonly number[],
) => Promise<ReadonlyMap<number, number>>;

export const samePayees = new Point<FindSamePayee>('ledger.same-payees');
