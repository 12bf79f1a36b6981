import { sql, type Kysely } from 'kysely';
import type { Reader, Transaction } from '../../../src/db/database.ts';
import { insertAll } from '../../../src/db/statements/calls.ts';
import { query } from '../../../src/db/statements/query.ts';
import { only } from '../../../src/db/statements/row-query.ts';
import { insertReturning, updateRows } from '../../../src/db/statements/rows-query.ts';
import type { RowOf, Tables } from '../../../src/db/tables.ts';
import type { Site } from '../../../src/kernel/declare/site.ts';
import type { UserRow } from '../../../src/modules/users/index.ts';
import { randomBase62 } from '../../../src/shared/secrets.ts';
import { encryptForPayout, type Details } from '../details/details-rows.ts';
import type { PayoutStatus } from './payout-status.ts';

/** What the record of a payout and its mails show of the affiliate. */
export type AffiliateColumns = Pick<
  UserRow,
  'display_name' | 'email' | 'language' | 'muted_notices'
>;

/** A payout with the coupon code and its affiliate. */
export type PayoutRow = RowOf<'payouts'> & AffiliateColumns & { coupon_code: string };

export function selectPayouts(db: Kysely<Tables>) {
  return db
    .selectFrom('payouts')
    .innerJoin('coupons', 'coupons.id', 'payouts.coupon_id')
    .innerJoin('users', 'users.id', 'payouts.user_id')
    .selectAll('payouts')
    .select('coupons.code as coupon_code')
    .select(['users.display_name', 'users.email', 'users.language', 'users.muted_notices']);
}

const byId = query<{ id: number }, PayoutRow>((db, p) =>
  selectPayouts(db).where('payouts.id', '=', p.id),
);

export function findPayout(db: Reader, id: number): Promise<PayoutRow | undefined> {
  return db.first(byId, { id });
}

/** Taken before a decision that depends on the payout's status. */
export function lockPayout(tx: Transaction, id: number): Promise<void> {
  return tx.lock(`payout ${id}`);
}

const paid = query<{ user_id: number }, { id: number }>((db, p) =>
  db
    .selectFrom('payouts')
    .select('id')
    .where('user_id', '=', p.user_id)
    .where('status', '=', 'paid')
    .limit(sql.lit(1)),
);

/** Whether the affiliate has been paid at least once. */
export async function hasBeenPaid(db: Reader, userId: number): Promise<boolean> {
  return (await db.first(paid, { user_id: userId })) !== undefined;
}

const accepted = query<{ user_id: number; day: string }, { amount: number }>((db, p) =>
  db
    .selectFrom('payouts')
    .select((eb) => eb.fn.coalesce(eb.fn.sum<number>('amount'), sql.lit(0)).as('amount'))
    .where('user_id', '=', p.user_id)
    .where('requested_day', '=', p.day)
    .where('status', '<>', 'failed')
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('payout_changes')
          .select('payout_changes.id')
          .whereRef('payout_changes.payout_id', '=', 'payouts.id')
          .where('payout_changes.status', '=', 'processing'),
      ),
    ),
);

/** What an affiliate got, or may get, of a day's requests without a review: only those were ever `processing`. */
export async function sumAccepted(db: Reader, userId: number, day: string): Promise<number> {
  return (await db.first(accepted, { user_id: userId, day }))?.amount ?? 0;
}

const suspended = query<{ id: number }, { user_id: number }>((db, p) =>
  db
    .selectFrom('affiliates')
    .select('user_id')
    .where('user_id', '=', p.id)
    .where('status', '=', 'suspended'),
);

export async function isSuspended(db: Reader, userId: number): Promise<boolean> {
  return (await db.first(suspended, { id: userId })) !== undefined;
}

const drafted = [
  'coupon_id',
  'user_id',
  'amount',
  'method_type',
  'method',
  'requested_at',
  'requested_day',
  'ask_at',
  'leased_until',
  'pay_attempts',
  'retry_of',
  'status',
] as const;
type DraftColumns = Pick<PayoutRow, (typeof drafted)[number]>;

/** A payout that is about to be inserted. */
export type PayoutDraft = Omit<DraftColumns, 'status'> &
  AffiliateColumns & {
    readonly coupon_code: string;
    readonly status: Extract<PayoutStatus, 'pending' | 'processing'>;
    readonly destination: Details | null;
  };

/** The columns that are the same in every new payout. */
const initial = {
  details: null,
  transaction_id: '',
  invoice_id: 0,
  paid_at: null,
  paid_day: null,
  asks: 0,
  unclear_since: null,
  unclear_reason: null,
  reported_at: null,
  failure_code: null,
  failure_message: null,
  begun_at: null,
};

type StoredPayout = RowOf<'payouts'>;

const insert = insertReturning<Omit<StoredPayout, 'id'>, Pick<StoredPayout, 'id' | 'nonce'>>(
  'payouts',
  ['id', 'nonce'],
);

const setDetails = updateRows<{ id: number; details: string }>('payouts', {
  key: ['id'],
  set: ['details'],
});

export async function insertPayouts(
  tx: Transaction,
  site: Site,
  drafts: readonly PayoutDraft[],
): Promise<PayoutRow[]> {
  const rows = drafts.map((draft) => ({
    ...initial,
    ...only(draft, drafted),
    nonce: randomBase62(12),
    changed_at: draft.requested_at,
  }));
  const ids = new Map((await insertAll(tx, insert, rows)).map(({ id, nonce }) => [nonce, id]));
  const inserted = drafts.map(({ destination, ...draft }, i): PayoutRow => {
    const row = rows[i]!;
    const id = ids.get(row.nonce)!;
    // The encryption binds the destination to the row's id, which is known only now.
    const details = destination && encryptForPayout(site, id, destination);
    return { ...draft, ...row, id, details };
  });
  const withDetails = inserted.flatMap(({ id, details }) =>
    details === null ? [] : [{ id, details }],
  );
  await tx.runMany(setDetails, withDetails);
  return inserted;
}

const withStatus = [
  'status',
  'transaction_id',
  'changed_at',
  'paid_at',
  'paid_day',
  'ask_at',
  'failure_code',
  'failure_message',
] as const;
type StatusColumns = Pick<PayoutRow, 'id' | (typeof withStatus)[number]>;

const update = query<StatusColumns & { from: PayoutStatus }>((db, p) =>
  db
    .updateTable('payouts')
    .set({
      ...only(p, withStatus),
      asks: 0,
      leased_until: 0,
      unclear_since: null,
      unclear_reason: null,
      reported_at: null,
    })
    .where('id', '=', p.id)
    .where('status', '=', p.from),
);

/** False if the payout no longer has the status `from`: of two concurrent changes, the second finds no row. */
export async function updateStatus(
  tx: Transaction,
  changed: StatusColumns,
  from: PayoutStatus,
): Promise<boolean> {
  return (await tx.run(update, { ...changed, from })) > 0;
}
