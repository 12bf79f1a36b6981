import { query } from '../../db/statements/query.ts';
import type { PersonalData } from '../../modules/person/index.ts';
import { findDestination, toPayoutDetails } from './details/payout-details.ts';

const ofUser = query<
  { user_id: number },
  { amount: number; requested_at: number; paid_at: number | null }
>((db, p) =>
  db
    .selectFrom('payouts')
    .select(['id', 'coupon_id', 'status', 'method_type', 'amount', 'requested_at', 'paid_at'])
    .where('user_id', '=', p.user_id)
    .orderBy('requested_day')
    .orderBy('id'),
);

/** The payouts of a person, and the destination, masked. */
export const payoutsOfPerson: PersonalData = {
  section: 'payouts',
  async read(db, site, { id }) {
    const { calendar, currency } = site;
    const rows = await db.all(ofUser, { user_id: id });
    return {
      details: toPayoutDetails(site, await findDestination(db, site, id)),
      payouts: rows.map((row) => ({
        ...row,
        amount: currency.toMajor(row.amount),
        requested_at: calendar.toLocal(row.requested_at),
        paid_at: row.paid_at === null ? null : calendar.toLocal(row.paid_at),
      })),
    };
  },
};
