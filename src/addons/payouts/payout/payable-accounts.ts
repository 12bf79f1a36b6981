import { sql, type Expression, type Kysely, type SqlBool } from 'kysely';
import { readAll, readFirst } from '../../../db/statements/calls.ts';
import type { Tables } from '../../../db/tables.ts';
import type { AffiliateColumns } from './payout-rows.ts';

/** What decides whether and how the balance of an account can be paid out. */
export interface PayableAccount {
  coupon_id: number;
  code: string;
  /** Minor units. */
  unpaid: number;
  /** The affiliate, with its names; null if the coupon has none. */
  user_id: number | null;
  display_name: string | null;
  email: string | null;
  language: AffiliateColumns['language'] | null;
  muted_notices: string | null;
  affiliate_status: string | null;
  /** The saved payout details; null if the affiliate has saved none. */
  method_type: string | null;
  details: string | null;
  details_at: number | null;
  /** The account's open payout. */
  open_id: number | null;
}

/** One that is read by itself. */
export type RequestedAccount = PayableAccount & {
  /** A payout of the affiliate that was approved at least. */
  approved_id: number | null;
};

/** One that belongs to an affiliate. */
export type AssignedAccount = Omit<PayableAccount, keyof AffiliateColumns> &
  AffiliateColumns & { user_id: number };

export function isAssigned(account: PayableAccount): account is AssignedAccount {
  return account.user_id !== null;
}

type Condition = (
  column: (name: 'coupon_id' | 'user_id' | 'unpaid') => Expression<number>,
) => Expression<SqlBool>;

/** Today's account of each coupon, and those of former affiliates. The condition is in both, for their indexes. */
function accounts(db: Kysely<Tables>, isWanted: Condition, { former }: { former: boolean }) {
  const names = {
    coupon_id: 'coupons.id',
    user_id: 'coupons.user_id',
    unpaid: 'coupons.unpaid',
  } as const;
  const current = db
    .selectFrom('coupons')
    .select(['id as coupon_id', 'code', 'unpaid', 'user_id'])
    .where(isWanted((name) => sql.ref(names[name])));
  if (!former) return current;
  const ofFormer = db
    .selectFrom('former_accounts')
    .innerJoin('coupons', 'coupons.id', 'former_accounts.coupon_id')
    .select([
      'former_accounts.coupon_id',
      'coupons.code',
      'former_accounts.unpaid',
      'former_accounts.user_id',
    ])
    .where(isWanted((name) => sql.ref(`former_accounts.${name}`)));
  return current.unionAll(ofFormer);
}

function payable(db: Kysely<Tables>, isWanted: Condition, { former }: { former: boolean }) {
  return (
    db
      .selectFrom(accounts(db, isWanted, { former }).as('account'))
      .leftJoin('users', 'users.id', 'account.user_id')
      .leftJoin('affiliates', 'affiliates.user_id', 'account.user_id')
      .leftJoin('payout_details', 'payout_details.user_id', 'account.user_id')
      .select(['account.coupon_id', 'account.code', 'account.unpaid', 'account.user_id'])
      .select([
        'users.display_name',
        'users.email',
        'users.language',
        'users.muted_notices',
        'affiliates.status as affiliate_status',
        'payout_details.method_type',
        'payout_details.details',
        'payout_details.updated_at as details_at',
      ])
      // Literal statuses: with parameters, neither database would use the partial index payouts_open.
      .select(
        sql<number | null>`(select max(id) from payouts where payouts.coupon_id = account.coupon_id
          and +payouts.user_id = account.user_id
          and status in ('pending', 'created', 'processing'))`.as('open_id'),
      )
  );
}

const approvedId = sql<
  number | null
>`(select id from payouts where payouts.user_id = account.user_id
  and status in ('created', 'processing', 'paid') limit 1)`.as('approved_id');

/** The account of a coupon's affiliate of today. */
export const findPayableCoupon = readFirst<{ coupon_id: number }, RequestedAccount>((db, p) =>
  payable(db, (column) => sql<SqlBool>`${column('coupon_id')} = ${p.coupon_id}`, {
    former: false,
  }).select(approvedId),
);

/** One account, of today or former. */
export const findPayableAccount = readFirst<
  { coupon_id: number; user_id: number },
  RequestedAccount
>((db, p) =>
  payable(
    db,
    (column) =>
      sql<SqlBool>`${column('coupon_id')} = ${p.coupon_id} and ${column('user_id')} = ${p.user_id}`,
    { former: true },
  ).select(approvedId),
);

/** The accounts of an affiliate with something to pay, those that have most first. */
export const listPayableAccounts = readAll<{ user_id: number; limit: number }, PayableAccount>(
  (db, p) =>
    payable(
      db,
      (column) => sql<SqlBool>`${column('user_id')} = ${p.user_id} and ${column('unpaid')} > 0`,
      { former: true },
    )
      .orderBy('account.unpaid', 'desc')
      .orderBy('account.coupon_id')
      .limit(p.limit),
);
