import { id, integer, table, text, type TablesOf } from '../../db/define-table.ts';
import type { RowOf } from '../../db/tables.ts';

export const paymentStates = ['held', 'granted', 'reversed'] as const;
export type PaymentState = (typeof paymentStates)[number];

export type Payment = RowOf<'bonus_payments'>;

export const checkKinds = ['affiliate', 'all'] as const;

export const tables = {
  /** What bonuses have paid: at most once for each affiliate and day, whatever the bonus becomes. */
  bonus_payments: table({
    // No reference: a bonus may be deleted, what it has paid stays.
    bonus_id: integer(),
    user_id: integer().references('users.id'),
    /** The first day of the window; empty for a bonus that is paid once ever. */
    window_first: text(),
    /** Whose balance has the amount. */
    coupon_id: integer().references('coupons.id'),
    /** Minor units. */
    amount: integer(),
    state: text<PaymentState>(),
    /**
     * JSON of the `Goal` that was reached, with the days that it was paid for. Later changes of the bonus do not affect it;
     * null for the event `accepted`.
     */
    goal: text().orNull(),
    reached_at: integer(),
    /** When it becomes payable, while it is held. */
    release_at: integer().orNull(),
    /** Why it was paid or taken back. */
    reason: text(),
  })
    .key('bonus_id', 'user_id', 'window_first')
    .index('by_user', ['user_id'])
    .index('by_release', ['release_at'], { where: 'release_at is not null' })
    .index('held', ['coupon_id', 'release_at'], { where: 'release_at is not null' })
    .index('by_time', ['reached_at'])
    .index('by_coupon', ['coupon_id']),
  /** Work for the job: whose bonuses to check, for the windows of a day. */
  bonus_checks: table({
    id: id(),
    kind: text<(typeof checkKinds)[number]>(),
    /** The affiliate; or of all, the last one that was checked. */
    object_id: integer(),
    day: text(),
    due_at: integer(),
  })
    .index('by_time', ['due_at', 'id'])
    .index('by_object', ['object_id', 'due_at']),
};

declare module '../../db/tables.ts' {
  interface Tables extends TablesOf<typeof tables> {}
}
