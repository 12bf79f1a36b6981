import type { AffiliateBalance, PayoutCheck } from '../../../sdk/src/index.ts';
import { api } from '../../../web/api.ts';
import { useData, type Loaded } from '../../../web/data.ts';

export type CouponBalance = AffiliateBalance['coupons'][number];

/** Whether each of these coupons can be paid out now, in their order. */
export function usePayoutChecks(ids: readonly number[]): Loaded<PayoutCheck[]> {
  return useData('payouts', { ids: ids.join(), part: 'checks' }, () =>
    Promise.all(ids.map((id) => api.coupons.payoutCheck(id))),
  );
}

/** In cents, because sums of decimals have errors. */
export function sumOf(amounts: readonly { readonly amount: number }[]): number {
  const scale = 10_000;
  return amounts.reduce((sum, { amount }) => sum + Math.round(amount * scale), 0) / scale;
}
