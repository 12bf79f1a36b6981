import { sql, type Kysely, type Selectable } from 'kysely';
import type { Reader, Transaction } from '../../db/database.ts';
import { byNumber } from '../../db/statements/keyed-query.ts';
import { query } from '../../db/statements/query.ts';
import { insertRows, updateRows } from '../../db/statements/rows-query.ts';
import type { Tables } from '../../db/tables.ts';
import type { PayoutsTable } from './tables.ts';

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

const byId = byNumber<PayoutRow>((db, isKey) => selectPayouts(db).where(isKey('payouts.id')));

/** A coupon as someone who wants to be paid sees it: whose, how much, where to, and what is open. */
export interface Payable {
  coupon_id: number;
  code: string;
  unpaid: number;
  user_id: number | null;
  display_name: string | null;
  email: string | null;
  /** Null where the coupon has no affiliate. */
  affiliate_status: string | null;
  method_type: string | null;
  details: string | null;
  details_at: number | null;
  open_id: number | null;
}

/** The statuses are written out: only so does the index of open payouts serve. */
const openOf = sql<number | null>`(select max(id) from payouts where coupon_id = coupons.id
  and status in ('pending', 'created', 'processing'))`;

const payable = byNumber<Payable>((db, isKey) =>
  db
    .selectFrom('coupons')
    .leftJoin('users', 'users.id', 'coupons.user_id')
    .leftJoin('affiliates', 'affiliates.user_id', 'coupons.user_id')
    .leftJoin('payout_details', 'payout_details.user_id', 'coupons.user_id')
    .select([
      'coupons.id as coupon_id',
      'coupons.code',
      'coupons.unpaid',
      'coupons.user_id',
      'users.display_name',
      'users.email',
      'affiliates.status as affiliate_status',
      'payout_details.method_type',
      'payout_details.details',
      'payout_details.updated_at as details_at',
      openOf.as('open_id'),
    ])
    .where(isKey('coupons.id')),
);

const open = byNumber<{ coupon_id: number; open_id: number }>((db, isKey) =>
  db
    .selectFrom('coupons')
    .select(['id as coupon_id', openOf.$notNull().as('open_id')])
    .where(isKey('id')),
);

const paidBefore = byNumber<{ id: number }>((db, isKey) =>
  db
    .selectFrom('users')
    .select('id')
    .where(isKey('id'))
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('payouts')
          .select('payouts.id')
          .whereRef('payouts.user_id', '=', 'users.id')
          .where('status', '=', 'paid'),
      ),
    ),
);

const suspended = query<{ id: number }, { user_id: number }>((db, p) =>
  db
    .selectFrom('affiliates')
    .select('user_id')
    .where('user_id', '=', p.id)
    .where('status', '=', 'suspended'),
);

export type NewPayout = Omit<Selectable<PayoutsTable>, 'id'>;

const insertAll = insertRows<NewPayout>('payouts', {
  coupon_id: 'number',
  user_id: 'number',
  amount: 'number',
  method_type: 'text',
  method: 'text',
  status: 'text',
  details: 'text',
  transaction_id: 'text',
  invoice_id: 'number',
  requested_at: 'number',
  requested_day: 'text',
  paid_at: 'number',
  paid_day: 'text',
  nonce: 'text',
  ask_at: 'number',
  asks: 'number',
  leased_until: 'number',
  pay_attempts: 'number',
  unclear_since: 'number',
  unclear_reason: 'text',
  reported_at: 'number',
  failure_code: 'text',
  failure_message: 'text',
  begun_at: 'number',
});

/** What changes with the status. */
export type StatusChange = Pick<
  PayoutRow,
  | 'id'
  | 'status'
  | 'transaction_id'
  | 'paid_at'
  | 'paid_day'
  | 'ask_at'
  | 'failure_code'
  | 'failure_message'
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
      unclear_since: null,
      unclear_reason: null,
      reported_at: null,
      failure_code: p.failure_code as string,
      failure_message: p.failure_message as string,
    })
    .where('id', '=', p.id)
    .where('status', '=', p.from),
);

export function findPayouts(db: Reader, ids: readonly number[]): Promise<PayoutRow[]> {
  return db.allByKeys(byId, ids);
}

export async function findPayout(db: Reader, id: number): Promise<PayoutRow | undefined> {
  return (await findPayouts(db, [id]))[0];
}

/** For those who decide by the status they see what it is to become. */
export function lockPayout(tx: Transaction, id: number): Promise<void> {
  return tx.lock(`payout ${id}`);
}

export function findPayables(db: Reader, couponIds: readonly number[]): Promise<Payable[]> {
  return db.allByKeys(payable, couponIds);
}

/** Which of these affiliates have been paid at least once. */
export async function listPaidBefore(db: Reader, userIds: readonly number[]): Promise<Set<number>> {
  return new Set((await db.allByKeys(paidBefore, userIds)).map(({ id }) => id));
}

export async function isSuspended(db: Reader, userId: number): Promise<boolean> {
  return (await db.first(suspended, { id: userId })) !== undefined;
}

/**
 * Writes new payouts, each of another coupon that has none open and that nobody else changes. Tells
 * their numbers by coupon: they are what is open now.
 */
export async function insertPayouts(
  tx: Transaction,
  payouts: readonly NewPayout[],
): Promise<Map<number, number>> {
  const coupons = payouts.map((payout) => payout.coupon_id);
  const [, opened] = await Promise.all([
    tx.runMany(insertAll, payouts),
    tx.allByKeys(open, coupons),
  ]);
  return new Map(opened.map(({ coupon_id, open_id }) => [coupon_id, open_id]));
}

const setDetails = updateRows<{ id: number; details: string }>(
  'payouts',
  { id: 'number', details: 'text' },
  { key: ['id'], set: ['details'], add: [] },
);

/** Of those that have any. */
export async function savePayoutDetails(
  tx: Transaction,
  payouts: readonly Pick<PayoutRow, 'id' | 'details'>[],
): Promise<void> {
  const rows = payouts.flatMap(({ id, details }) => (details === null ? [] : [{ id, details }]));
  if (rows.length > 0) await tx.updateMany(setDetails, rows);
}

/** False when somebody else has changed the status meanwhile. */
export async function writeStatus(tx: Transaction, change: StatusChange): Promise<boolean> {
  return (await tx.run(changeStatus, change)) > 0;
}
