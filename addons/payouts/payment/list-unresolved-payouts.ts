import Type from 'typebox';
import { collection, pageHeaders } from '../../../src/kernel/cache/collection.ts';
import { LocalTime, Nullable, pageParameters } from '../../../src/kernel/declare/schemas.ts';
import { countUnresolved, listUnresolved } from '../api/payout-list-rows.ts';
import {
  OutcomeUnknownSince,
  PayoutSchema,
  pendingPayoutExample,
  toPayout,
} from '../api/payout-wire.ts';
import { payoutOperation } from '../missing-tables.ts';

const UnresolvedPayoutSchema = Type.Object(
  {
    ...PayoutSchema.properties,
    outcome_unknown_since: OutcomeUnknownSince,
    reason: Type.String({ description: 'Why the outcome is unknown.' }),
    attempts: Type.Integer({
      description: 'The number of attempts that may have paid; 0 means that nothing was paid.',
    }),
    in_progress: Type.Boolean({ description: 'True if the gateway is being called right now.' }),
    date_reported: Nullable(LocalTime('When the administrators were notified by email.')),
    date_next_check: Nullable(LocalTime('When the gateway is asked again.')),
  },
  {
    $id: 'UnresolvedPayout',
    examples: [
      {
        ...pendingPayoutExample,
        id: 33,
        method: 'PayPal',
        method_type: 'paypal',
        status: 'processing',
        outcome_unknown_since: '2026-02-02T10:15:04',
        reason: 'The gateway did not answer in time.',
        attempts: 1,
        in_progress: false,
        date_reported: '2026-02-02T11:15:04',
        date_next_check: '2026-02-02T12:15:04',
      },
    ],
  },
);

export const listUnresolvedPayouts = payoutOperation({
  method: 'GET',
  namespace: 'store',
  path: '/payouts/unresolved',
  summary: 'List payouts whose outcome is unknown',
  description:
    'Oldest first. The service asks the gateway about each of them until it gives a clear answer or an ' +
    'administrator resolves the payout.',
  access: 'admin',
  scope: 'read',
  query: Type.Object(pageParameters),
  response: Type.Array(UnresolvedPayoutSchema),
  headers: pageHeaders,
  async handle({ db, site, nowMs }, input) {
    return collection(input, await countUnresolved(db, {}), async (slice) => {
      const rows = await listUnresolved(db, {}, slice);
      return rows.map((row) => ({
        ...toPayout(row, site, 'admin'),
        outcome_unknown_since: site.calendar.toLocal(row.unclear_since),
        reason: row.unclear_reason ?? '',
        attempts: row.pay_attempts,
        in_progress: row.leased_until > nowMs,
        date_reported: site.calendar.toLocal(row.reported_at),
        date_next_check: site.calendar.toLocal(row.ask_at),
      }));
    });
  },
});
