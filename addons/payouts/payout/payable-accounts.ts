import { sql, type Expression, type Kysely, type RawBuilder, type SqlBool } from 'kysely';
import type { Reader, Transaction } from '../../../src/db/database.ts';
import { readAll } from '../../../src/db/statements/calls.ts';
import { rowsByNumber } from '../../../src/db/statements/keyed-query.ts';
import type { Tables } from '../../../src/db/tables.ts';
import { isAdmin, type Caller } from '../../../src/kernel/declare/caller.ts';
import { ApiError, generalErrors } from '../../../src/kernel/declare/errors.ts';
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

/** One that is read by its coupon. */
export type RequestedAccount = PayableAccount & {
  /** A payout of the affiliate that was approved at least. */
  approved_id: number | null;
  /** 1 for an account that the coupon had before it was reassigned. */
  is_former: number;
};

/** One that belongs to an affiliate. */
export type AssignedAccount = Omit<PayableAccount, keyof AffiliateColumns> &
  AffiliateColumns & { user_id: number };

export function isAssigned(account: PayableAccount): account is AssignedAccount {
  return account.user_id !== null;
}

type Condition = (
  column: (name: 'coupon_id' | 'user_id' | 'unpaid') => RawBuilder<number>,
) => Expression<SqlBool>;

/** Today's account of each coupon, and those of former affiliates. The condition is in both, for their indexes. */
function accountsWhere(db: Kysely<Tables>, isWanted: Condition) {
  const names = {
    coupon_id: 'coupons.id',
    user_id: 'coupons.user_id',
    unpaid: 'coupons.unpaid',
  } as const;
  const current = db
    .selectFrom('coupons')
    .select(['id as coupon_id', 'code', 'unpaid', 'user_id', sql<number>`0`.as('is_former')])
    .where(isWanted((name) => sql.ref(names[name])));
  const ofFormer = db
    .selectFrom('former_accounts')
    .innerJoin('coupons', 'coupons.id', 'former_accounts.coupon_id')
    .select([
      'former_accounts.coupon_id',
      'coupons.code',
      'former_accounts.unpaid',
      'former_accounts.user_id',
      sql<number>`1`.as('is_former'),
    ])
    .where(isWanted((name) => sql.ref(`former_accounts.${name}`)));
  return current.unionAll(ofFormer);
}

function payable(db: Kysely<Tables>, isWanted: Condition) {
  return (
    db
      .selectFrom(accountsWhere(db, isWanted).as('account'))
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

/** All accounts of a coupon: today's, and those of former affiliates. */
const accountsOfCoupon = rowsByNumber<RequestedAccount>('coupon_id', (db, isKey) =>
  payable(db, (column) => isKey(column('coupon_id'))).select(['account.is_former', approvedId]),
);

export function findAccountsOfCoupons(
  tx: Transaction,
  couponIds: readonly number[],
): Promise<RequestedAccount[]> {
  return tx.allByKeys(accountsOfCoupon, couponIds);
}

/** The account of a coupon's affiliate of today. */
export function todaysAccount(accounts: readonly RequestedAccount[]) {
  return accounts.find(({ is_former }) => is_former === 0);
}

/** The account of one affiliate, of today or former. */
export function accountOf(accounts: readonly RequestedAccount[], userId: number | null) {
  const today = todaysAccount(accounts);
  return today?.user_id === userId ? today : accounts.find(({ user_id }) => user_id === userId);
}

export async function findPayableCoupon(db: Reader, couponId: number) {
  return todaysAccount(await db.allByKey(accountsOfCoupon, couponId));
}

export async function findPayableAccount(
  db: Reader,
  { coupon_id, user_id }: { readonly coupon_id: number; readonly user_id: number },
) {
  return accountOf(await db.allByKey(accountsOfCoupon, coupon_id), user_id);
}

/** A coupon of another affiliate looks like one that does not exist. */
export function requireOwn<A extends PayableAccount>(coupon: A | undefined, caller: Caller): A {
  const isOwner = caller.person !== null && coupon?.user_id === caller.person.id;
  if (coupon && (isAdmin(caller) || isOwner)) return coupon;
  throw new ApiError(generalErrors.notFound);
}

/** The accounts of an affiliate with something to pay, those that have most first. */
export const listPayableAccounts = readAll<{ user_id: number; limit: number }, PayableAccount>(
  (db, p) =>
    payable(
      db,
      (column) => sql<SqlBool>`${column('user_id')} = ${p.user_id} and ${column('unpaid')} > 0`,
    )
      .orderBy('account.unpaid', 'desc')
      .orderBy('account.coupon_id')
      .limit(p.limit),
);
