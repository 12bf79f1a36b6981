import Type, { type Static } from 'typebox';
import { LocalTime, Nullable, StringEnum } from '../../kernel/declare/schemas.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { fromOwnerId } from '../coupons/index.ts';
import type { LedgerEntry } from './ledger-rows.ts';
import { kinds, pools, type Pool } from './tables.ts';

/** Of entries of the kind `hand_over`: the coupon changed hands, and money with it. */
const handOverFields = {
  from_user_id: Type.Optional(
    Nullable(Type.Integer({ description: 'Of `hand_over`: the affiliate that had it before.' })),
  ),
  to_user_id: Type.Optional(
    Nullable(Type.Integer({ description: 'Of `hand_over`: the affiliate that got it.' })),
  ),
};

export const EntrySchema = Type.Object(
  {
    id: Type.Integer({ description: 'The id of the entry.' }),
    coupon_id: Type.Integer({ description: 'The coupon on which it was earned.' }),
    affiliate_id: Nullable(
      Type.Integer({ description: 'The affiliate whose money it is; null for none.' }),
    ),
    date: LocalTime('When it was written.'),
    kind: StringEnum(kinds, { description: 'The source of the movement.' }),
    from: StringEnum(pools, { description: 'The pool that the amount was moved from.' }),
    to: StringEnum(pools, { description: 'The pool that the amount was moved to.' }),
    amount: Type.Number({
      description:
        'With its sign: commission that was taken back is a negative amount from `earned`.',
    }),
    ...handOverFields,
    order_id: Nullable(Type.Integer({ description: 'The order; null if there is none.' })),
    case_id: Nullable(
      Type.Integer({
        description: 'The case because of which it was moved; null if there is none.',
      }),
    ),
    user_id: Type.Integer({ description: 'The user who made the change; 0 is the system.' }),
    note: Type.String({ description: 'The reason, as text.' }),
    balances: Type.Object(
      {
        unpaid_commission: Type.Number(),
        pending_order_commission: Type.Number(),
        pending_payout_commission: Type.Number(),
        paid_commission: Type.Number(),
      },
      { description: "The affiliate's balances on the coupon after this entry." },
    ),
  },
  {
    $id: 'LedgerEntry',
    examples: [
      {
        id: 88,
        coupon_id: 12,
        affiliate_id: 7,
        date: '2026-02-06T11:20:05',
        kind: 'adjustment',
        from: 'earned',
        to: 'unpaid',
        amount: 20,
        order_id: null,
        case_id: null,
        user_id: 1,
        note: 'Bonus for January',
        balances: {
          unpaid_commission: 69,
          pending_order_commission: 12.5,
          pending_payout_commission: 0,
          paid_commission: 212.5,
        },
      },
    ],
  },
);

export function toEntry(row: LedgerEntry, site: Site): Static<typeof EntrySchema> {
  const { currency } = site;
  const { from, to, amount } = signed(row);
  return {
    id: row.id,
    coupon_id: row.coupon_id,
    affiliate_id: fromOwnerId(row.owner_id),
    date: site.calendar.toLocal(row.created_at),
    kind: row.kind,
    from,
    to,
    amount: currency.toMajor(amount),
    ...(row.kind === 'hand_over' && handOverOf(row)),
    order_id: row.order_id,
    case_id: row.case_id ?? null,
    user_id: row.user_id,
    note: row.note,
    balances: {
      unpaid_commission: currency.toMajor(row.unpaid_after),
      pending_order_commission: currency.toMajor(row.awaiting_after),
      pending_payout_commission: currency.toMajor(row.pending_payout_after),
      paid_commission: currency.toMajor(row.paid_after),
    },
  };
}

/** Both entries of a hand-over name both accounts: the one that gave, and the one that got. */
function handOverOf(row: LedgerEntry) {
  const own = fromOwnerId(row.owner_id);
  const other = fromOwnerId(row.other_owner_id ?? 0);
  const [from_user_id, to_user_id] = row.to_pool === 'earned' ? [own, other] : [other, own];
  return { from_user_id, to_user_id };
}

/** The ledger stores positive amounts: an amount taken from a coupon went back to `earned`. */
function signed(row: LedgerEntry): { from: Pool; to: Pool; amount: number } {
  const [from, to] = [row.from_pool, row.to_pool];
  return to === 'earned'
    ? { from: to, to: from, amount: -row.amount }
    : { from, to, amount: row.amount };
}
