import type { Json } from '../../mapping/payload.ts';
import { StoreError, type Connector, type StoreApi, type StoreCoupon } from '../connector.ts';
import { change, readOne, readPage, RefusedByStore } from './client.ts';
import { idIn, metaIn } from './payload.ts';

/** Where a paused coupon keeps the date on which it expires otherwise. */
const EXPIRY = '_tributary_date_expires';
const LONG_AGO = '2000-01-01T00:00:00';

/** Creates a code; one that exists already, with any discount, stays as it is. */
export async function createCoupon(store: StoreApi, coupon: StoreCoupon): Promise<void> {
  const { code, discount } = coupon;
  if (discount.type === 'fixed') await requireCurrency(store, coupon.currency);
  const json = {
    code,
    discount_type: discount.type === 'percent' ? 'percent' : 'fixed_cart',
    amount: String(discount.amount),
    description: 'Created by Tributary',
  };
  try {
    await change(store, 'POST', '/coupons', { json });
  } catch (error) {
    const exists =
      error instanceof RefusedByStore &&
      error.reason === 'woocommerce_rest_coupon_code_already_exists';
    if (!exists) throw error;
  }
}

/** Coupons of a fixed amount are in the store's own currency. */
async function requireCurrency(store: StoreApi, currency: string): Promise<void> {
  const current = await readOne(store, '/data/currencies/current');
  if (current?.['code'] === currency) return;
  throw new StoreError(
    'failed',
    `The shop sells in ${String(current?.['code'])}, and the coupon is for an amount in ${currency}.`,
  );
}

/**
 * A paused coupon has expired. As a draft the store would not find it by its code any more, so that it could not be
 * resumed. The date on which it expires otherwise is kept with it.
 */
export const changeCoupon: Required<Connector>['changeCoupon'] = async (store, coupon) => {
  const { items } = await readPage(store, '/coupons', { code: coupon.code });
  const [found] = items;
  if (!found) return coupon.active ? createCoupon(store, coupon) : undefined;
  const isPaused = found['date_expires'] === LONG_AGO;
  if (isPaused !== coupon.active) return;
  const json = coupon.active ? resumed(found) : paused(found);
  await change(store, 'PUT', `/coupons/${idIn(found)}`, { json });
};

function paused(found: Json) {
  const { date_expires: expires } = found;
  const value = typeof expires === 'string' ? expires : '';
  return { date_expires: LONG_AGO, meta_data: [{ key: EXPIRY, value }] };
}

/** An empty text removes the date; WooCommerce ignores null. */
function resumed(found: Json) {
  const before = metaIn(found, EXPIRY);
  return { date_expires: typeof before === 'string' ? before : '' };
}
