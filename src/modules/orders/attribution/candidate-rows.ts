import { sql, type Kysely } from 'kysely';
import type { Reader } from '../../../db/database.ts';
import type { Dialect } from '../../../db/dialect.ts';
import { byNumber, byText } from '../../../db/statements/keyed-query.ts';
import { insertRows } from '../../../db/statements/rows-query.ts';
import type { Tables } from '../../../db/tables.ts';
import type { RateColumns } from '../../groups/index.ts';
import type { LifetimeCustomersTable } from '../tables.ts';
import { groupRateColumns, type GroupRateColumns } from '../../coupons/index.ts';

/** An active coupon of an affiliate who is not suspended, with the rates of its owner's groups. */
export interface Candidate extends RateColumns, GroupRateColumns {
  id: number;
  code_folded: string;
  user_id: number;
  owner_email: string;
}

/** Coupons of affiliates who are not suspended. */
function couponsOfAffiliates(db: Kysely<Tables>) {
  return db
    .selectFrom('coupons')
    .innerJoin('users', 'users.id', 'coupons.user_id')
    .leftJoin('affiliates', 'affiliates.user_id', 'coupons.user_id')
    .select([
      'coupons.id',
      'coupons.code_folded',
      'coupons.user_id',
      'coupons.percent',
      'coupons.fixed_per_order',
      'coupons.fixed_per_product',
      'users.email_folded as owner_email',
    ])
    .select(groupRateColumns)
    .where((eb) => eb(eb.fn.coalesce('affiliates.status', sql.lit('active')), '=', 'active'));
}

function candidates(db: Kysely<Tables>, { unindexed }: Dialect) {
  return couponsOfAffiliates(db).where(unindexed('coupons.status'), '=', 'active');
}

const byCode = byText<Candidate>((db, isKey, dialect) =>
  candidates(db, dialect).where(isKey('coupons.code_folded')),
);

const byId = byNumber<Candidate>((db, isKey, dialect) =>
  candidates(db, dialect).where(isKey('coupons.id')),
);

/** Renewals are credited to the coupon of the first payment, even if it was disabled since. */
const everActive = byNumber<Candidate>((db, isKey) =>
  couponsOfAffiliates(db).where(isKey('coupons.id')),
);

const codesOf = byNumber<{ id: number; code_folded: string }>((db, isKey) =>
  db.selectFrom('coupons').select(['id', 'code_folded']).where(isKey('id')),
);

export type LifetimeCustomer = LifetimeCustomersTable;

const lifetimeOf = byText<LifetimeCustomer>((db, isKey) =>
  db
    .selectFrom('lifetime_customers')
    .select(['customer_hash', 'coupon_id', 'credited_at'])
    .where(isKey('customer_hash')),
);

/** A customer stays with the first coupon: later ones do not replace it. */
export const rememberCustomers = insertRows<LifetimeCustomer>('lifetime_customers', {
  on: ['customer_hash'],
});

export function findCandidatesByCode(db: Reader, codes: ReadonlySet<string>): Promise<Candidate[]> {
  return db.allByKeys(byCode, [...codes]);
}

export function findCandidates(db: Reader, ids: ReadonlySet<number>): Promise<Candidate[]> {
  return db.allByKeys(byId, [...ids]);
}

/** Coupons that get renewals, whether they are still active or not. */
export function findRenewed(db: Reader, ids: ReadonlySet<number>): Promise<Candidate[]> {
  return db.allByKeys(everActive, [...ids]);
}

/** The codes of coupons, whether they are still active or not. */
export function findCodes(
  db: Reader,
  ids: ReadonlySet<number>,
): Promise<{ id: number; code_folded: string }[]> {
  return db.allByKeys(codesOf, [...ids]);
}

export function findLifetimeCustomers(
  db: Reader,
  hashes: ReadonlySet<string>,
): Promise<LifetimeCustomer[]> {
  return db.allByKeys(lifetimeOf, [...hashes]);
}
