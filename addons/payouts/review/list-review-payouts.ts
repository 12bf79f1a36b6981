import Type from 'typebox';
import { termsIn, type Terms } from '../../../src/db/lists/search.ts';
import { cachedCollection, pageHeaders } from '../../../src/kernel/cache/collection.ts';
import { effectiveRange, rangeParameters } from '../../../src/kernel/call/date-range.ts';
import { whenSearched } from '../../../src/kernel/declare/operation.ts';
import { Id, pageParameters, StringEnum } from '../../../src/kernel/declare/schemas.ts';
import { refreshForRead } from '../../../src/modules/affiliates/index.ts';
import { foldCode } from '../../../src/modules/coupons/index.ts';
import { payoutOperation } from '../missing-tables.ts';
import { PAYOUT_TOTALS } from '../payout/payout-days.ts';
import { payoutStatuses, type PayoutStatus } from '../payout/payout-status.ts';
import {
  countForReview,
  listForReview,
  reviewSorts,
  type ReviewFilter,
} from './review-list-rows.ts';
import { ReviewPayoutSchema, toReviewPayout } from './review-payout.ts';

const anyStatus = payoutStatuses.join('|');

const Query = Type.Object({
  status: Type.Optional(
    Type.String({
      maxLength: 60,
      pattern: `^(${anyStatus})(,(${anyStatus}))*$`,
      description: `Only payouts with this status, or with one of several: ${payoutStatuses.join(', ')}.`,
      examples: ['created,processing'],
    }),
  ),
  search: Type.Optional(
    Type.String({
      maxLength: 100,
      description:
        "The payout's number or reference, or the beginning of the coupon code or of words of the affiliate's name, " +
        'login or email address, in any case. The first three words count.',
    }),
  ),
  affiliate: Type.Optional(Id("Only this affiliate's payouts.")),
  method: Type.Optional(
    Type.String({ maxLength: 40, description: 'Only payouts by this method, such as paypal.' }),
  ),
  ...rangeParameters,
  sort: StringEnum(reviewSorts, {
    default: '-created',
    description: 'By day of the request, last change of the status, or amount; `-` for descending.',
  }),
  ...pageParameters,
});

export const listReviewPayouts = payoutOperation({
  method: 'GET',
  namespace: 'store',
  path: '/payouts',
  summary: 'Search payouts',
  description:
    'For the team of the store: with the affiliate, the coupon and the reason of a failure. `from` and `to` refer ' +
    'to the day of the request.',
  access: 'admin',
  scope: 'read',
  long: whenSearched,
  query: Query,
  response: Type.Array(ReviewPayoutSchema),
  headers: pageHeaders,
  async handle({ db, site, nowMs }, input) {
    if (input.search !== undefined) await refreshForRead(db, site);
    const range = effectiveRange(input, site, nowMs);
    const filter: ReviewFilter = {
      ...statusFilter(input.status),
      ...searchFilter(input.search),
      user_id: input.affiliate,
      method: input.method,
      first: range.from ?? undefined,
      last: range.to ?? undefined,
    };
    const counted = {
      ...PAYOUT_TOTALS,
      filter: { review: true, ...filter },
      count: () => countForReview(db, filter),
    };
    return cachedCollection(site, counted, input, async (slice, total) => {
      const rows = await listForReview(db, filter, input.sort, slice, total);
      return rows.map((row) => toReviewPayout(row, site));
    });
  },
});

function statusFilter(given: string | undefined): Pick<ReviewFilter, 'status' | 'statuses'> {
  if (given === undefined) return {};
  // The cast is safe: the pattern of the parameter accepts nothing else.
  const statuses = [...new Set(given.split(','))] as PayoutStatus[];
  return statuses.length === 1
    ? { status: statuses[0] }
    : { statuses: JSON.stringify(statuses.toSorted()) };
}

type SearchFilter = Pick<ReviewFilter, 'reference' | 'number' | 'code' | keyof Terms>;

function searchFilter(given: string | undefined): SearchFilter {
  const text = given?.trim() ?? '';
  if (text === '') return {};
  const digits = /^#?(\d{1,15})$/.exec(text)?.[1];
  const code = foldCode(text);
  return { reference: text, number: Number(digits ?? 0), code, ...termsIn(text) };
}
