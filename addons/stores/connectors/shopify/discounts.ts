import { Currency } from '../../../../src/shared/money.ts';
import { objectOf, objectsOf, textOf, type Json } from '../../mapping/payload.ts';
import { StoreError, type Connector, type StoreApi, type StoreCoupon } from '../connector.ts';
import { queryShopify, userErrorIn } from './client.ts';

const FIND = `query FindCode($code: String!) {
  shop { currencyCode }
  codeDiscountNodeByCode(code: $code) { id }
}`;

const CREATE = `mutation CreateCode($discount: DiscountCodeBasicInput!) {
  discountCodeBasicCreate(basicCodeDiscount: $discount) {
    codeDiscountNode { id }
    userErrors { code field message }
  }
}`;

const CHANGES = {
  discountCodeActivate: `mutation ResumeCode($id: ID!) {
  discountCodeActivate(id: $id) { userErrors { field message } }
}`,
  discountCodeDeactivate: `mutation PauseCode($id: ID!) {
  discountCodeDeactivate(id: $id) { userErrors { field message } }
}`,
};

export async function createCoupon(store: StoreApi, coupon: StoreCoupon): Promise<void> {
  const { id, currency } = await find(store, coupon.code);
  if (id === undefined) await create(store, coupon, currency);
}

export const changeCoupon: Required<Connector>['changeCoupon'] = async (store, coupon) => {
  const { id, currency } = await find(store, coupon.code);
  if (id === undefined) {
    if (coupon.active) await create(store, coupon, currency);
    return;
  }
  const name = coupon.active ? 'discountCodeActivate' : 'discountCodeDeactivate';
  const data = await queryShopify(store, CHANGES[name], { id });
  refuseCode(coupon.code, objectOf(data[name]));
};

function refuseCode(code: string, answer: Json): void {
  const message = userErrorIn(answer);
  if (message) throw new StoreError('failed', `Shopify refused the code ${code}: ${message}`);
}

async function find(
  store: StoreApi,
  code: string,
): Promise<{ id: string | undefined; currency: string | undefined }> {
  const data = await queryShopify(store, FIND, { code });
  return {
    id: textOf(objectOf(data['codeDiscountNodeByCode'])['id']),
    currency: textOf(objectOf(data['shop'])['currencyCode']),
  };
}

async function create(
  store: StoreApi,
  coupon: StoreCoupon,
  shopCurrency: string | undefined,
): Promise<void> {
  const discount = {
    title: coupon.code,
    code: coupon.code,
    startsAt: new Date(store.nowMs).toISOString(),
    context: { all: 'ALL' },
    customerGets: { items: { all: true }, value: valueOf(coupon, shopCurrency) },
    appliesOncePerCustomer: false,
  };
  const data = await queryShopify(store, CREATE, { discount });
  const answer = objectOf(data['discountCodeBasicCreate']);
  // Another process may have created it since.
  const isTaken = objectsOf(answer['userErrors']).some((each) => each['code'] === 'TAKEN');
  if (!isTaken) refuseCode(coupon.code, answer);
}

function valueOf(
  { code, discount, currency }: StoreCoupon,
  shopCurrency: string | undefined,
): Json {
  if (discount.type === 'percent') return { percentage: discount.amount / 100 };
  if (shopCurrency !== undefined && shopCurrency !== currency) {
    throw new StoreError(
      'failed',
      `The code ${code} gives an amount in ${currency}, but the shop has ${shopCurrency}.`,
    );
  }
  const amount = discount.amount.toFixed(new Currency(currency).decimals);
  return { discountAmount: { amount, appliesOnEachItem: false } };
}
