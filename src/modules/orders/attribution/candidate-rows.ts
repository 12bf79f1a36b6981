import { sql, type Kysely } from 'kysely';
import type { Reader } from '../../../db/database.ts';
import { readAll } from '../../../db/statements/calls.ts';
import { byNumber, byText } from '../../../db/statements/keyed-query.ts';
import { keyedIn } from '../../../db/statements/plain-calls.ts';
import { jsonList } from '../../../db/statements/rows-query.ts';
import type { Tables } from '../../../db/tables.ts';
import type { CouponStatus, GroupRateColumns } from '../../coupons/index.ts';
import { groupRateColumns, groupRateColumnsOf } from '../../coupons/index.ts';
import type { RateColumns } from '../../groups/index.ts';

/** A coupon and an affiliate: the account that an order may be credited to, with the rates of the affiliate's groups. */
interface Account extends RateColumns, GroupRateColumns {
  id: number;
  code_folded: string;
  coupon_status: CouponStatus;
  user_id: number | null;
  owner_email: string | null;
  owner_status: string;
}

/** An account of an affiliate who is not suspended. */
export interface Candidate extends Account {
  user_id: number;
  owner_email: string;
}

/** A coupon with the affiliate who has it now. */
export interface OwnedCoupon extends Account {
  /** When that affiliate got it; null if no other affiliate ever had it. */
  owned_since: number | null;
}

export function isCandidate(account: Account | undefined): account is Candidate {
  return account !== undefined && account.user_id !== null && account.owner_status === 'active';
}

const ownerStatus = sql<string>`coalesce(affiliates.status, 'active')`.as('owner_status');

const accountColumns = [
  'coupons.id',
  'coupons.code_folded',
  'coupons.status as coupon_status',
  'coupons.percent',
  'coupons.fixed_per_order',
  'coupons.fixed_per_product',
  'users.email_folded as owner_email',
] as const;

function ownedCoupons(db: Kysely<Tables>) {
  return db
    .selectFrom('coupons')
    .leftJoin('users', 'users.id', 'coupons.user_id')
    .leftJoin('affiliates', 'affiliates.user_id', 'coupons.user_id')
    .select([...accountColumns, 'coupons.user_id', 'coupons.owned_since', ownerStatus])
    .select(groupRateColumns);
}

/** Active coupons with these codes. */
export const withCodes = byText<OwnedCoupon>((db, isKey, { unindexed }) =>
  ownedCoupons(db)
    .where(isKey('coupons.code_folded'))
    .where(unindexed('coupons.status'), '=', 'active'),
);

export const withIds = byNumber<OwnedCoupon>((db, isKey) =>
  ownedCoupons(db).where(isKey('coupons.id')),
);

export interface AccountKey {
  readonly coupon_id: number;
  readonly user_id: number;
}

export function keyOfAccount({ coupon_id, user_id }: AccountKey): string {
  return `${coupon_id} ${user_id}`;
}

const accountsOf = readAll<{ keys: string }, Account>((db, p, _given, dialect) => {
  const given = dialect.jsonRows(p.keys, { coupon_id: 'number', user_id: 'number' });
  return db
    .selectFrom(sql<AccountKey>`(select * from ${given})`.as('given'))
    .innerJoin('coupons', 'coupons.id', 'given.coupon_id')
    .innerJoin('users', 'users.id', 'given.user_id')
    .leftJoin('affiliates', 'affiliates.user_id', 'given.user_id')
    .select([...accountColumns, 'given.user_id', ownerStatus])
    .select(groupRateColumnsOf('given.user_id'))
    .$castTo<Account>();
});

/** Coupons with affiliates who need not have them now. */
export async function findAccounts(db: Reader, keys: readonly AccountKey[]): Promise<Account[]> {
  if (keys.length === 0) return [];
  const distinct = new Map(
    keys.map(({ coupon_id, user_id }) => [
      keyOfAccount({ coupon_id, user_id }),
      { coupon_id, user_id },
    ]),
  );
  return accountsOf(db, { keys: jsonList([...distinct.values()]) });
}

export const lifetimeOf = keyedIn('lifetime_customers', 'customer_hash');
