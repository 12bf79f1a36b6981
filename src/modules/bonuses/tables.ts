import type { Generated, Selectable } from 'kysely';

export const paymentStates = ['held', 'granted', 'reversed'] as const;
export type PaymentState = (typeof paymentStates)[number];

/** What bonuses have paid: at most once for each affiliate and day, whatever the bonus becomes. */
export interface BonusPaymentsTable {
  bonus_id: number;
  user_id: number;
  /** The first day of the window; empty for a bonus that is paid once ever. */
  window_first: string;
  /** Whose balance has the amount. */
  coupon_id: number;
  /** Minor units. */
  amount: number;
  state: PaymentState;
  /**
   * JSON of the `Goal` that was reached, with the days that it was paid for. Later changes of the bonus do not affect it;
   * null for the event `accepted`.
   */
  goal: string | null;
  reached_at: number;
  /** When it becomes payable, while it is held. */
  release_at: number | null;
  /** Why it was paid or taken back. */
  reason: string;
}

export type Payment = Selectable<BonusPaymentsTable>;

export const checkKinds = ['affiliate', 'all'] as const;

/** Work for the job: whose bonuses to check, for the windows of a day. */
export interface BonusChecksTable {
  id: Generated<number>;
  kind: (typeof checkKinds)[number];
  /** The affiliate; or of all, the last one that was checked. */
  object_id: number;
  day: string;
  due_at: number;
}

declare module '../../db/tables.ts' {
  interface Tables {
    bonus_payments: BonusPaymentsTable;
    bonus_checks: BonusChecksTable;
  }
}
