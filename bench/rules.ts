import { send } from './request.ts';
import { scale } from './scale.ts';

const RULES = 100;

/**
 * The rules of a large program, most of which cannot match an order: for some affiliates, coupons and products. Some
 * of the others match most orders, and ask for groups, for the customer and for what was sold this month.
 */
function* rules(): Generator<object> {
  const orders = { customer: 'first' };
  const counter = { by: 'sales', counts: 'counted', window: { kind: 'month' } };
  const steps = [
    { from: 0, percent: 8 },
    { from: 1_000, percent: 12 },
  ];
  yield { name: 'Gift cards', what: { products: ['106'] }, rate: { excluded: true } };
  yield {
    name: 'New customers',
    what: { categories: ['2'] },
    order: orders,
    rate: { percent: 14 },
  };
  yield { name: 'Sets', what: { categories: ['4'] }, rate: { fixed_per_product: 1.5 } };
  yield { name: 'Partners', who: { groups: ['Partners'] }, rate: { percent: 18 } };
  yield {
    name: 'Steps',
    who: { affiliates: [10, 11, 12] },
    rate: { steps: { ...counter, steps } },
  };
  for (let i = 5; i < RULES; i += 1) {
    const rate = { percent: 5 + (i % 20) };
    if (i % 4 === 0) yield { name: `Affiliate ${i}`, who: { affiliates: [2 + (i % 19)] }, rate };
    else if (i % 4 === 1) yield { name: `Coupon ${i}`, who: { coupons: [i] }, rate };
    else if (i % 4 === 2) yield { name: `Product ${i}`, what: { products: [String(i)] }, rate };
    else yield { name: `Old ${i}`, from: '2020-01-01', to: '2020-01-31', rate };
  }
}

const LIMITED = 500;

/** Rules with a limit that are for affiliates who have no orders: they cost the others nothing. */
function* limited(): Generator<object> {
  const limit = { amount: 50, per: 'affiliate', window: { kind: 'month' } };
  for (let i = 0; i < LIMITED; i += 1) {
    // The first user is the administrator.
    const who = { affiliates: [scale.affiliates + 1 - (i % 10)] };
    yield { name: `Limit ${i}`, who, rate: { percent: 5 + (i % 20) }, limit };
  }
}

export const ruleSets = {
  [`${RULES} rules`]: rules,
  [`${LIMITED} limits for others`]: limited,
} as const;

export async function createRules(
  port: number,
  token: string,
  list: () => Iterable<object>,
): Promise<void> {
  const path = '/svc/store/v1';
  await send(port, token, 'POST', `${path}/groups`, { name: 'Partners' });
  for (const rule of list()) await send(port, token, 'POST', `${path}/rewards/rules`, rule);
}
