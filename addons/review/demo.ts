import { invoke } from '../../src/kernel/call/invoke.ts';
import type { DemoPart } from '../../src/kernel/declare/demo.ts';
import type { Site } from '../../src/kernel/declare/site.ts';
import { listCoupons } from '../../src/modules/coupons/index.ts';
import { batchOrders } from '../../src/modules/orders/index.ts';
import { changeReviewRule } from './api/change-rule.ts';
import { decideCase } from './api/decide-case.ts';
import { listCases } from './api/list-cases.ts';

/** An order that a rule finds suspicious. */
interface DemoCase {
  /** The place of the affiliate in the list. */
  readonly of: number;
  readonly daysAgo: number;
  readonly total: number;
  readonly mailbox: string;
  /** The note of the decision: the case is cleared a day later. */
  readonly cleared?: string;
}

/** No other order of the demo has such a number. */
const FIRST_ORDER = 9_001;

/** Orders with a throw-away mailbox: two wait for a decision, one was harmless. */
const CASES: readonly DemoCase[] = [
  {
    of: 7,
    daysAgo: 21,
    total: 64,
    mailbox: 'rose.m@mailinator.com',
    cleared: 'The customer called and paid.',
  },
  { of: 0, daysAgo: 6, total: 138, mailbox: 'k7x2@guerrillamail.com' },
  { of: 4, daysAgo: 2, total: 89, mailbox: 'sdfgh@yopmail.com' },
];

export const demoReview: DemoPart = {
  counts: () => ({ cases: CASES.length }),
  async prepare(site) {
    if (!site.registry.isActive(changeReviewRule)) return;
    await invoke(site, changeReviewRule, { name: 'throwaway_mail', action: 'hold' });
  },
  happenings(site, affiliates) {
    if (!site.registry.isActive(listCases)) return [];
    return CASES.flatMap((one, i) => {
      const affiliate = affiliates[one.of]!.id;
      const order = FIRST_ORDER + i;
      const { cleared: note } = one;
      const buy = { daysAgo: one.daysAgo, happen: () => sendOrder(site, affiliate, order, one) };
      if (note === undefined) return [buy];
      const clear = () => clearCase(site, order, note);
      return [buy, { daysAgo: one.daysAgo - 1, happen: clear }];
    });
  },
};

async function sendOrder(
  site: Site,
  affiliate: number,
  order_id: number,
  { total, mailbox }: DemoCase,
): Promise<void> {
  const [coupon] = await invoke<{ code: string }[]>(site, listCoupons, { user_id: affiliate });
  const order = {
    order_id,
    date: new Date(site.clock()).toISOString(),
    status: 'completed',
    currency: site.currency.code,
    subtotal: total,
    total,
    coupon_codes: [coupon!.code],
    customer: { email: mailbox },
    items: [{ product_id: 105, quantity: 1, subtotal: total, total }],
  };
  await invoke(site, batchOrders, { orders: [order] });
}

async function clearCase(site: Site, order_id: number, note: string): Promise<void> {
  const [found] = await invoke<{ id: number }[]>(site, listCases, { order_id });
  if (found) await invoke(site, decideCase, { id: found.id, decision: 'clear', note });
}
