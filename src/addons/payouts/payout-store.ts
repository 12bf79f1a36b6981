import { sql, type Kysely, type Selectable } from 'kysely';
import type { Reader, Transaction } from '../../db/database.ts';
import { query } from '../../db/query.ts';
import type { PayoutsTable, Tables } from '../../db/tables.ts';

/** A payout with the names that its record shows and its mails need. */
export type PayoutRow = Selectable<PayoutsTable> & {
  coupon_code: string;
  display_name: string;
  email: string;
};

export function selectPayouts(db: Kysely<Tables>) {
  return db
    .selectFrom('payouts')
    .innerJoin('coupons', 'coupons.id', 'payouts.coupon_id')
    .innerJoin('users', 'users.id', 'payouts.user_id')
    .selectAll('payouts')
    .select(['coupons.code as coupon_code', 'users.display_name', 'users.email']);
}

const byId = query<{ id: number }, PayoutRow>((db, p) =>
  selectPayouts(db).where('payouts.id', '=', p.id),
);

/** A coupon as someone who wants to be paid sees it: whose, how much, where to, and what is open. */
export interface Payable {
  coupon_id: number;
  code: string;
  unpaid: number;
  user_id: number | null;
  display_name: string | null;
  email: string | null;
  method_type: string | null;
  details: string | null;
  details_at: number | null;
  open_id: number | null;
}

/** The statuses are written out: only so does the index of open payouts serve. */
const openOf = sql<number | null>`(select max(id) from payouts where coupon_id = coupons.id
  and status in ('pending', 'created', 'processing'))`;

const payable = query<{ coupon_id: number }, Payable>((db, p) =>
  db
    .selectFrom('coupons')
    .leftJoin('users', 'users.id', 'coupons.user_id')
    .leftJoin('payout_details', 'payout_details.user_id', 'coupons.user_id')
    .select([
      'coupons.id as coupon_id',
      'coupons.code',
      'coupons.unpaid',
      'coupons.user_id',
      'users.display_name',
      'users.email',
      'payout_details.method_type',
      'payout_details.details',
      'payout_details.updated_at as details_at',
      openOf.as('open_id'),
    ])
    .where('coupons.id', '=', p.coupon_id),
);

const lock = query<{ coupon_id: number }, { id: number }>((db, p, _given, dialect) =>
  dialect.lockForUpdate(db.selectFrom('coupons').select('id').where('id', '=', p.coupon_id)),
);

const paidBefore = query<{ user_id: number }, { id: number }>((db, p) =>
  db
    .selectFrom('payouts')
    .select('id')
    .where('user_id', '=', p.user_id)
    .where('status', '=', 'paid')
    .limit(1),
);

type NewPayout = Omit<Selectable<PayoutsTable>, 'id' | 'transaction_id' | 'invoice_id' | 'asks'>;

const insert = query<NewPayout, { id: number }>((db, p) =>
  db
    .insertInto('payouts')
    .values({
      coupon_id: p.coupon_id,
      user_id: p.user_id,
      amount: p.amount,
      method_type: p.method_type,
      method: p.method,
      status: p.status,
      details: p.details as string,
      transaction_id: '',
      invoice_id: 0,
      requested_at: p.requested_at,
      requested_day: p.requested_day,
      paid_at: p.paid_at as number,
      paid_day: p.paid_day as string,
      nonce: p.nonce,
      ask_at: p.ask_at as number,
      asks: 0,
      leased_until: p.leased_until,
    })
    .returning('id'),
);

/** What changes with the status. */
export type StatusChange = Pick<
  PayoutRow,
  'id' | 'status' | 'transaction_id' | 'paid_at' | 'paid_day' | 'ask_at'
> & { from: string };

/** Only from the status that was seen: of two changes at once one finds nothing to change. */
const changeStatus = query<StatusChange>((db, p) =>
  db
    .updateTable('payouts')
    .set({
      status: p.status,
      transaction_id: p.transaction_id,
      paid_at: p.paid_at as number,
      paid_day: p.paid_day as string,
      ask_at: p.ask_at as number,
      asks: 0,
      leased_until: 0,
    })
    .where('id', '=', p.id)
    .where('status', '=', p.from),
);

export function findPayout(db: Reader, id: number): Promise<PayoutRow | undefined> {
  return db.first(byId, { id });
}

/** For those who decide by the status they see what it is to become. */
export function lockPayout(tx: Transaction, id: number): Promise<void> {
  return tx.lock(`payout ${id}`);
}

export function findPayable(db: Reader, couponId: number): Promise<Payable | undefined> {
  return db.first(payable, { coupon_id: couponId });
}

/** The same, and until the transaction ends nobody else moves the money of this coupon. */
export async function lockPayable(tx: Transaction, couponId: number): Promise<Payable | undefined> {
  await tx.first(lock, { coupon_id: couponId });
  return findPayable(tx, couponId);
}

export async function wasPaidBefore(db: Reader, userId: number): Promise<boolean> {
  return (await db.first(paidBefore, { user_id: userId })) !== undefined;
}

export async function insertPayout(tx: Transaction, payout: NewPayout): Promise<number> {
  return (await tx.first(insert, payout))!.id;
}

/** False when somebody else has changed the status meanwhile. */
export async function writeStatus(tx: Transaction, change: StatusChange): Promise<boolean> {
  return (await tx.run(changeStatus, change)) > 0;
}
