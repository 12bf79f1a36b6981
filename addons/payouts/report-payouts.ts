import Type from 'typebox';
import type { Reader } from '../../src/db/database.ts';
import { bounds } from '../../src/kernel/call/date-range.ts';
import type { Site } from '../../src/kernel/declare/site.ts';
import type { ReportSection } from '../../src/modules/reports/index.ts';
import { ifStored } from './missing-tables.ts';
import { sumDays } from './payout/payout-days.ts';

/** Adds payouts to the summary: pending ones by the day of the request, paid ones by the day of payment. */
export const reportPayouts: ReportSection = {
  fields: {
    payouts: Type.Optional(
      Type.Object(
        {
          pending_count: Type.Integer(),
          pending_amount: Type.Number(),
          paid_count: Type.Integer(),
          paid_amount: Type.Number(),
        },
        {
          description:
            'Pending payouts by the day of the request, paid ones by the day of payment.',
        },
      ),
    ),
  },
  read(db, site, range) {
    return ifStored<object>(
      site,
      async () => ({ payouts: await sums(db, site, bounds(range)) }),
      {},
    );
  },
};

async function sums(db: Reader, site: Site, days: { first: string; last: string }) {
  const pending = await sumDays(db, 'requested', { status: 'pending', ...days });
  const paid = await sumDays(db, 'paid', { status: 'paid', ...days });
  return {
    pending_count: pending.payouts,
    pending_amount: site.currency.toMajor(pending.amount),
    paid_count: paid.payouts,
    paid_amount: site.currency.toMajor(paid.amount),
  };
}
