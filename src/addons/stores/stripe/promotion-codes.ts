import type { Shop, StoreCoupon } from '../connector.ts';
import type { Json } from '../mapping/payload.ts';
import { changeStripe, listStripe, StripeRefusal } from './client.ts';
import { idOf } from './purchase.ts';
import { toStripeAmount } from './stripe-money.ts';

export async function createCoupon(shop: Shop, coupon: StoreCoupon): Promise<void> {
  if (!(await findCode(shop, coupon.code))) await create(shop, coupon);
}

export async function changeCoupon(
  shop: Shop,
  coupon: StoreCoupon & { active: boolean },
): Promise<void> {
  const known = await findCode(shop, coupon.code);
  if (!known) {
    if (coupon.active) await create(shop, coupon);
    return;
  }
  if (known['active'] === coupon.active) return;
  await changeStripe(shop, `/v1/promotion_codes/${encodeURIComponent(idOf(known) ?? '')}`, {
    active: String(coupon.active),
  });
}

/** An active code comes first: Stripe allows several that are not. */
async function findCode(shop: Shop, code: string): Promise<Json | undefined> {
  const { data } = await listStripe(shop, '/v1/promotion_codes', { code, limit: 100 });
  return data.find(({ active }) => active === true) ?? data[0];
}

/** The codes of one discount share a coupon, whose id says what it gives. */
async function create(shop: Shop, { code, discount, currency }: StoreCoupon): Promise<void> {
  const amount = toStripeAmount(discount.amount, currency);
  const [id, terms]: [string, Record<string, string>] =
    discount.type === 'percent'
      ? [
          `tributary-percent-${String(discount.amount).replace('.', '_')}`,
          { percent_off: String(discount.amount) },
        ]
      : [
          `tributary-fixed-${amount}-${currency.toLowerCase()}`,
          { amount_off: String(amount), currency: currency.toLowerCase() },
        ];
  try {
    await changeStripe(shop, '/v1/coupons', { id, duration: 'once', name: 'Affiliates', ...terms });
  } catch (error) {
    const exists = error instanceof StripeRefusal && error.stripeCode === 'resource_already_exists';
    if (!exists) throw error;
  }
  await changeStripe(shop, '/v1/promotion_codes', {
    'promotion[type]': 'coupon',
    'promotion[coupon]': id,
    code,
  });
}
