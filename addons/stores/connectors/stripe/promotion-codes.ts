import type { Json } from '../../mapping/payload.ts';
import { StoreError, type Connector, type StoreApi, type StoreCoupon } from '../connector.ts';
import { changeStripe, listStripe, StripeRefusal } from './client.ts';
import { idOf } from './purchase.ts';
import { toStripeAmount } from './stripe-money.ts';

/** Stripe allows letters of the English alphabet, digits and hyphens. */
const OTHER_CHARACTERS = /[^A-Za-z0-9-]+/g;

/** Says why a code cannot be a promotion code, and how it could be spelled. */
function requireAllowed(code: string): void {
  const [wrong] = code.match(OTHER_CHARACTERS) ?? [];
  if (wrong === undefined) return;
  const spelling = code
    .replaceAll('ß', 'ss')
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(OTHER_CHARACTERS, '-')
    .replaceAll(/^-+|-+$/g, '');
  throw new StoreError(
    'failed',
    `The code cannot be a promotion code of Stripe, which has only letters from A to Z, digits and hyphens, not "${wrong}".` +
      (spelling === '' ? '' : ` Create a coupon with an allowed code, such as ${spelling}.`),
  );
}

export async function createCoupon(store: StoreApi, coupon: StoreCoupon): Promise<void> {
  if (!(await findCode(store, coupon.code))) await create(store, coupon);
}

export const changeCoupon: Required<Connector>['changeCoupon'] = async (store, coupon) => {
  const known = await findCode(store, coupon.code);
  if (!known) {
    if (coupon.active) await create(store, coupon);
    return;
  }
  if (known['active'] === coupon.active) return;
  await changeStripe(store, `/v1/promotion_codes/${encodeURIComponent(idOf(known) ?? '')}`, {
    active: String(coupon.active),
  });
};

/** An active code comes first: Stripe allows several that are not. */
async function findCode(store: StoreApi, code: string): Promise<Json | undefined> {
  const { data } = await listStripe(store, '/v1/promotion_codes', { code, limit: 100 });
  return data.find(({ active }) => active === true) ?? data[0];
}

/** The codes of one discount share a coupon, whose id says what it gives. */
async function create(store: StoreApi, { code, discount, currency }: StoreCoupon): Promise<void> {
  requireAllowed(code);
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
    await changeStripe(store, '/v1/coupons', {
      id,
      duration: 'once',
      name: 'Affiliates',
      ...terms,
    });
  } catch (error) {
    const exists = error instanceof StripeRefusal && error.stripeCode === 'resource_already_exists';
    if (!exists) throw error;
  }
  await changeStripe(store, '/v1/promotion_codes', {
    'promotion[type]': 'coupon',
    'promotion[coupon]': id,
    code,
  });
}
