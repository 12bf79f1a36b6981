import { sql, type Kysely } from 'kysely';
import type { Reader, Transaction } from '../../db/database.ts';
import { pagedList } from '../../db/lists/paged-list.ts';
import { rowsInOrder } from '../../db/lists/sorted-ids.ts';
import { writeFirst } from '../../db/statements/calls.ts';
import { figureColumns } from '../../db/statements/columns.ts';
import { rowsByNumber } from '../../db/statements/keyed-query.ts';
import { findIn, removeFrom } from '../../db/statements/plain-calls.ts';
import { query } from '../../db/statements/query.ts';
import { only, rowQuery } from '../../db/statements/row-query.ts';
import { jsonList } from '../../db/statements/rows-query.ts';
import type { RowOf, Tables } from '../../db/tables.ts';
import { totalsOf } from '../../kernel/cache/total-cache.ts';
import type { Role } from '../../kernel/declare/caller.ts';
import type { Site } from '../../kernel/declare/site.ts';
import type { RateColumns } from '../groups/index.ts';
import { changeAccount } from './account-rows.ts';
import { groupPercentColumn } from './effective-rates.ts';
import { recordFirstOwner, recordOwner, removeOwners } from './owner-rows.ts';
import type { CouponStatus } from './tables.ts';

export type CouponRow = RowOf<'coupons'>;

type NewCoupon = Pick<
  CouponRow,
  'code' | 'user_id' | 'created_at' | 'discount' | keyof RateColumns
>;

/** The columns that an administrator can change. */
const changeable = [
  'user_id',
  'owned_since',
  'status',
  'percent',
  'fixed_per_order',
  'fixed_per_product',
  'discount',
] as const;
export type CouponChange = Omit<Pick<CouponRow, (typeof changeable)[number]>, 'owned_since'>;

const insert = rowQuery<NewCoupon & { code_folded: string; status: CouponStatus }, CouponRow>(
  (db, row) => db.insertInto('coupons').values(row).returningAll(),
);

const update = query<Pick<CouponRow, 'id' | (typeof changeable)[number]>, CouponRow>((db, p) =>
  db
    .updateTable('coupons')
    .set({ ...only(p, changeable), roster_due: 1 })
    .where('id', '=', p.id)
    .returningAll(),
);

const remove = removeFrom('coupons', 'id');

export async function removeCoupon(tx: Transaction, id: number): Promise<void> {
  await removeOwners(tx, { coupon_id: id });
  await remove(tx, { id });
}

export const findCoupon = findIn('coupons', 'id');

/** Locks the coupon: no other transaction changes its owner or balances until this one ends. */
export const findCouponToChange = writeFirst<{ id: number }, CouponRow>((db, p, _given, dialect) =>
  dialect.lockForUpdate(db.selectFrom('coupons').selectAll().where('id', '=', p.id)),
);

/** Adds whether another coupon has the same code; figures selected by code alone would mix both. */
const byIdWithTwins = rowsByNumber<CouponRow & { code_ambiguous: number }>('id', (db, isKey) =>
  db
    .selectFrom('coupons')
    .selectAll()
    .select(
      sql<number>`exists (select 1 from coupons as twin
          where twin.code_folded = coupons.code_folded and twin.id <> coupons.id)`.as(
        'code_ambiguous',
      ),
    )
    .where(isKey('coupons.id')),
);

export function findCouponWithTwins(db: Reader, id: number) {
  return db.firstByKey(byIdWithTwins, id);
}

/** Lists read only these columns, a third of all: the cost of a page grows with its columns. */
const listed = [
  'id',
  'code',
  'user_id',
  'status',
  'created_at',
  'unpaid',
  'awaiting',
  'pending_payout',
  'paid',
] as const;

export type ListedCoupon = Pick<CouponRow, (typeof listed)[number]>;

/** The columns that the record of one coupon shows. */
const shown = [
  ...listed,
  'percent',
  'fixed_per_order',
  'fixed_per_product',
  'discount',
  ...figureColumns,
  'refreshed_at',
  'owned_since',
] as const;

export type ShownCoupon = Pick<CouponRow, (typeof shown)[number]>;

/** A coupon with its owner and the percentage of the owner's groups. */
export type CouponDetails = ShownCoupon & { group_percent: string | null } & {
  [K in 'login' | 'email' | 'display_name']: string | null;
} & { role: Role | null };

const detailsById = rowsByNumber<CouponDetails>('id', (db, isKey) =>
  db
    .selectFrom('coupons')
    .leftJoin('users', 'users.id', 'coupons.user_id')
    .select(shown.map((name) => `coupons.${name}` as const))
    .select(['users.login', 'users.email', 'users.display_name', 'users.role'])
    .select(groupPercentColumn)
    .where(isKey('coupons.id')),
);

export function findCouponDetails(db: Reader, id: number): Promise<CouponDetails | undefined> {
  return db.firstByKey(detailsById, id);
}

/** In the order of the ids. */
export const findManyCouponDetails = (db: Reader, ids: readonly number[]) =>
  rowsInOrder(db, detailsById, ids);

const byUser = rowsByNumber<CouponRow>('user_id', (db, isKey) =>
  db.selectFrom('coupons').selectAll().where(isKey('user_id')).orderBy('id'),
);

/** Rows that refer to a coupon are its history: money, orders, customers, clicks. */
const withHistory = query<{ id: number }, { id: number }>((db, p) =>
  db
    .selectFrom('coupons')
    .select('id')
    .where('id', '=', p.id)
    .where((eb) =>
      eb.or(
        (
          [
            'ledger',
            'referrals',
            'coupon_days',
            'clicks',
            'click_days',
            'lifetime_customers',
          ] as const
        ).map((table) =>
          eb.exists(
            eb
              .selectFrom(table)
              .select(`${table}.coupon_id`)
              .whereRef(`${table}.coupon_id`, '=', 'coupons.id'),
          ),
        ),
      ),
    ),
);

export interface CouponFilter {
  user_id?: number | undefined;
  status?: CouponStatus | undefined;
  /** Coupons without an affiliate instead of those with one. */
  unassigned?: true | undefined;
  /** A pattern for `like`. */
  search?: string | undefined;
}

function filtered(
  db: Kysely<Tables>,
  p: CouponFilter,
  given: (name: keyof CouponFilter) => boolean,
) {
  return db
    .selectFrom('coupons')
    .where('user_id', given('unassigned') ? 'is' : 'is not', null)
    .$if(given('user_id'), (q) => q.where('user_id', '=', p.user_id!))
    .$if(given('status'), (q) => q.where('status', '=', p.status!))
    .$if(given('search'), (q) =>
      q.where(sql<boolean>`${sql.ref('code_folded')} like ${p.search} escape '\\'`),
    );
}

export const { count: countCoupons, page: listCouponRows } = pagedList(filtered, (q) =>
  q.select(listed).orderBy('id', 'desc'),
);

/** Codes are compared case-insensitively. */
export function foldCode(code: string): string {
  return code.toLowerCase();
}

export async function insertCoupon(tx: Transaction, coupon: NewCoupon): Promise<CouponRow> {
  const code_folded = foldCode(coupon.code);
  const row = (await tx.first(insert, { ...coupon, code_folded, status: 'active' }))!;
  await recordFirstOwner(tx, row);
  return row;
}

/** The caller has locked the coupon, which is `before`. */
export async function updateCoupon(
  tx: Transaction,
  before: CouponRow,
  change: Partial<CouponChange>,
  nowMs: number,
): Promise<CouponRow> {
  const next = { ...before, ...change };
  if (next.user_id !== before.user_id) {
    next.owned_since = await recordOwner(tx, before, next.user_id, nowMs);
    await changeAccount(tx, before.id, before.user_id, next.user_id);
  }
  return (await tx.first(update, next))!;
}

export async function hasHistory(db: Reader, id: number): Promise<boolean> {
  return (await db.first(withHistory, { id })) !== undefined;
}

/** The coupons of one user, which every call of /me reads. */
export function findCouponsOf(db: Reader, userId: number): Promise<CouponRow[]> {
  return db.allByKey(byUser, userId);
}

/** The coupons of any number of users with one statement, oldest first. */
export function findCouponsByUser(db: Reader, userIds: readonly number[]): Promise<CouponRow[]> {
  return db.all(byUser.list, { keys: jsonList(userIds) });
}

/** The number of coupons with an affiliate, cached until it changes. */
export function countAllCoupons(db: Reader, site: Site): Promise<number> {
  return totalsOf(site).find('coupons', {}, () => countCoupons(db, {}));
}

/** Take this lock before a write that depends on the owner, the rates or the status of a coupon. */
export function lockCoupon(tx: Transaction, id: number): Promise<void> {
  return tx.lock(`coupon ${id}`);
}
