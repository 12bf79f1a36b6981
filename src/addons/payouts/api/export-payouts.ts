import Type from 'typebox';
import { query } from '../../../db/statements/query.ts';
import { CSV_TYPE, csvResponse } from '../../../modules/exports/index.ts';
import { selectPayouts, type PayoutRow } from '../payout/payout-rows.ts';
import { toPayout } from './payout-wire.ts';
import { payoutOperation } from '../missing-tables.ts';

const columns = [
  'id',
  'date',
  'date_paid',
  'status',
  'user_id',
  'display_name',
  'coupon_id',
  'coupon_code',
  'amount',
  'currency',
  'method_type',
  'transaction_id',
  'failure_code',
];

const after = query<{ after: number; limit: number }, PayoutRow>((db, p) =>
  selectPayouts(db).where('payouts.id', '>', p.after).orderBy('payouts.id').limit(p.limit),
);

export const exportPayouts = payoutOperation({
  method: 'GET',
  namespace: 'store',
  path: '/exports/payouts.csv',
  summary: 'Export all payouts as CSV',
  description: 'Ordered by id, without destinations.',
  access: 'admin',
  scope: 'read',
  contentType: CSV_TYPE,
  response: Type.String(),
  example: {
    response:
      `${columns.join()}\r\n` +
      '31,2026-02-02T10:15:00,2026-02-03T09:30:00,paid,7,Maya Ortiz,12,MAYA10,12.5,USD,banktransfer,SEPA-2026-0203-31\r\n',
  },
  async handle({ db, site }) {
    // Fails now if the tables are missing: after the response has started, its status is final.
    await db.first(after, { after: 0, limit: 1 });
    return csvResponse({
      file: 'payouts.csv',
      columns,
      readPage: (page) => db.all(after, page),
      keyOf: ({ id }) => id,
      toRecords: async (rows) =>
        rows.map((row) => {
          const payout = toPayout(row, site, 'admin');
          return [
            payout.id,
            payout.date,
            payout.date_paid,
            payout.status,
            payout.user.id,
            payout.user.display_name,
            payout.coupon_id,
            payout.coupon_code,
            payout.amount,
            site.currency.code,
            payout.method_type,
            payout.transaction_id,
            payout.failure_reason?.code ?? '',
          ];
        }),
    });
  },
});
