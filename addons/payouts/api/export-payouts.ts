import Type from 'typebox';
import { query } from '../../../src/db/statements/query.ts';
import type { Site } from '../../../src/kernel/declare/site.ts';
import { CSV_TYPE, csvResponse } from '../../../src/modules/exports/index.ts';
import { payoutOperation } from '../missing-tables.ts';
import { selectPayouts, type PayoutRow } from '../payout/payout-rows.ts';
import { toPayout } from './payout-wire.ts';

type Payout = ReturnType<typeof toPayout>;

/** The columns, each with its value. */
const columns: Record<string, (payout: Payout, site: Site) => string | number | null> = {
  id: ({ id }) => id,
  date: ({ date }) => date,
  date_paid: ({ date_paid }) => date_paid,
  status: ({ status }) => status,
  user_id: ({ user }) => user.id,
  display_name: ({ user }) => user.display_name,
  coupon_id: ({ coupon_id }) => coupon_id,
  coupon_code: ({ coupon_code }) => coupon_code,
  amount: ({ amount }) => amount,
  currency: (_payout, { currency }) => currency.code,
  method_type: ({ method_type }) => method_type,
  transaction_id: ({ transaction_id }) => transaction_id,
  failure_code: ({ failure_reason }) => failure_reason?.code ?? '',
};
const names = Object.keys(columns);

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
  long: true,
  contentType: CSV_TYPE,
  response: Type.String(),
  example: {
    response:
      `${names.join()}\r\n` +
      '31,2026-02-02T10:15:00,2026-02-03T09:30:00,paid,7,Maya Ortiz,12,MAYA10,12.5,USD,banktransfer,SEPA-2026-0203-31\r\n',
  },
  async handle({ db, site }) {
    // Fails now if the tables are missing: after the response has started, its status is final.
    await db.first(after, { after: 0, limit: 1 });
    return csvResponse({
      file: 'payouts.csv',
      columns: names,
      readPage: (page) => db.all(after, page),
      keyOf: ({ id }) => id,
      toRecords: async (rows) =>
        rows.map((row) => {
          const payout = toPayout(row, site, 'admin');
          return Object.values(columns).map((value) => value(payout, site));
        }),
    });
  },
});
