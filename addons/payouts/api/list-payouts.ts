import Type from 'typebox';
import { cachedCollection, pageHeaders } from '../../../src/kernel/cache/collection.ts';
import { bounds, effectiveRange, rangeParameters } from '../../../src/kernel/call/date-range.ts';
import { isAdmin } from '../../../src/kernel/declare/caller.ts';
import { Id, pageParameters, StringEnum } from '../../../src/kernel/declare/schemas.ts';
import { payoutOperation } from '../missing-tables.ts';
import { viewerOf } from '../payment/failure-reason.ts';
import { PAYOUT_TOTALS } from '../payout/payout-days.ts';
import { clientStatuses } from '../payout/payout-status.ts';
import { countPayouts, listPayoutRows, type PayoutFilter } from './payout-list-rows.ts';
import { PayoutSchema, toPayout } from './payout-wire.ts';

const Query = Type.Object({
  user_id: Type.Optional(
    Id("Only this affiliate's payouts. For admins; affiliates only ever see their own."),
  ),
  coupon_id: Type.Optional(Id('Only payouts of this coupon.')),
  status: Type.Optional(
    StringEnum(clientStatuses, { description: 'Only payouts with this status.' }),
  ),
  ...rangeParameters,
  ...pageParameters,
});

export const listPayouts = payoutOperation({
  method: 'GET',
  namespace: 'v2',
  path: '/payouts',
  summary: 'List payouts',
  description: 'Newest first. `from` and `to` refer to the day of the request.',
  access: 'user',
  scope: 'read',
  query: Query,
  response: Type.Array(PayoutSchema),
  headers: pageHeaders,
  async handle({ db, site, caller, nowMs }, input) {
    const filter: PayoutFilter = {
      user_id: isAdmin(caller) ? input.user_id : caller.person!.id,
      coupon_id: input.coupon_id,
      status: input.status,
      ...bounds(effectiveRange(input, site, nowMs)),
    };
    const counted = { ...PAYOUT_TOTALS, filter, count: () => countPayouts(db, filter) };
    return cachedCollection(site, counted, input, async (slice) => {
      const rows = await listPayoutRows(db, site, filter, slice);
      return rows.map((row) => toPayout(row, site, viewerOf(caller)));
    });
  },
});
