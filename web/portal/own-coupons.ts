import { useSearch } from 'wouter-preact';
import type { Coupon, CouponDetails } from '../../sdk/src/index.ts';
import { api } from '../api.ts';
import { useData, type Loaded } from '../data.ts';
import { useSession } from '../session.ts';

interface OwnCoupons {
  /** The coupons that still earn; all of them if none does. */
  readonly coupons: readonly Coupon[];
  /** The one that the address names, else the first. */
  readonly chosen: Coupon | undefined;
  readonly details: Loaded<CouponDetails>;
}

/** The coupons of the affiliate, and the one that the screen shows (`?coupon=`). */
export function useOwnCoupons(): OwnCoupons {
  const { me } = useSession();
  const wanted = Number(new URLSearchParams(useSearch()).get('coupon'));
  const active = me.coupons.filter(({ status }) => status === 'active');
  const coupons = active.length > 0 ? active : me.coupons;
  const chosen = coupons.find(({ id }) => id === wanted) ?? coupons[0];
  const details = useData('coupons', chosen && { id: chosen.id }, ({ id }) => api.coupons.get(id));
  // The link of another coupon must not be shown, not even until this one is loaded.
  const isOther = details.data !== undefined && details.data.id !== chosen?.id;
  return { coupons, chosen, details: isOther ? { ...details, data: undefined } : details };
}
