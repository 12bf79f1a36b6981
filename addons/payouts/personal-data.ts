import { query } from '../../src/db/statements/query.ts';
import type { PersonalData } from '../../src/modules/privacy/index.ts';
import { findDestination, toPayoutDetails } from './details/payout-details.ts';

const ofUser = query<
  { user_id: number },
  { id: number; amount: number; requested_at: number; paid_at: number | null }
>((db, p) =>
  db
    .selectFrom('payouts')
    .select(['id', 'coupon_id', 'status', 'method_type', 'method', 'amount', 'transaction_id'])
    .select(['requested_at', 'paid_at', 'failure_code', 'retry_of'])
    .where('user_id', '=', p.user_id)
    .orderBy('requested_day')
    .orderBy('id'),
);

const changesOfUser = query<
  { user_id: number },
  { payout_id: number; status: string; changed_at: number }
>((db, p) =>
  db
    .selectFrom('payout_changes')
    .innerJoin('payouts', 'payouts.id', 'payout_changes.payout_id')
    .select(['payout_id', 'payout_changes.status', 'payout_changes.changed_at'])
    .where('payouts.user_id', '=', p.user_id)
    .orderBy('payout_changes.id'),
);

/** The payouts of a person, and the destination, masked. */
export const payoutsOfPerson: PersonalData = {
  section: 'payouts',
  async read(db, site, { id }) {
    const { calendar, currency } = site;
    const rows = await db.all(ofUser, { user_id: id });
    const changes = await db.all(changesOfUser, { user_id: id });
    const destination = await findDestination(db, site, id);
    return {
      details: {
        ...toPayoutDetails(site, destination),
        date_saved: destination ? calendar.toLocal(destination.savedAt) : null,
      },
      payouts: rows.map((row) => ({
        ...row,
        amount: currency.toMajor(row.amount),
        requested_at: calendar.toLocal(row.requested_at),
        paid_at: row.paid_at === null ? null : calendar.toLocal(row.paid_at),
        changes: changes
          .filter(({ payout_id }) => payout_id === row.id)
          .map(({ status, changed_at }) => ({ status, date: calendar.toLocal(changed_at) })),
      })),
    };
  },
};
