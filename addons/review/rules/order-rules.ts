import type { Transaction } from '../../../src/db/database.ts';
import type { Site } from '../../../src/kernel/declare/site.ts';
import { firstOrdersOf } from '../../../src/modules/coupons/index.ts';
import type { CheckScope, PreparedOrder } from '../../../src/modules/orders/index.ts';
import { domainOf } from '../../../src/shared/email-address.ts';
import { clickRules, readTraces } from './click-rules.ts';
import type { Facts, OrderRule } from './look.ts';
import { isPublicDomain, isThrowaway } from './mail-domains.ts';
import { ownOrder, readHolders } from './own-order-rule.ts';
import type { AllRuleOptions } from './rules.ts';

/** The rules that look at one order. */
export const orderRules: readonly OrderRule[] = [
  ownOrder,
  {
    name: 'same_people',
    look({ order: { mailDomain }, ownerEmail, options }) {
      if (mailDomain === null || mailDomain !== domainOf(ownerEmail)) return undefined;
      if (isPublicDomain(mailDomain, options.same_people.public_domains)) return undefined;
      return { figures: { domain: mailDomain } };
    },
  },
  {
    name: 'first_order_above',
    look({ order, referral, options, facts, site }) {
      if (facts.known.has(referral.user_id) || !isAbove(order, options, site)) return undefined;
      const total = site.currency.toMajor(order.total);
      return { figures: { total, currency: site.currency.code } };
    },
  },
  {
    name: 'throwaway_mail',
    look({ order: { mailDomain }, options }) {
      if (mailDomain === null || !isThrowaway(mailDomain, options.throwaway_mail.domains)) {
        return undefined;
      }
      return { figures: { domain: mailDomain } };
    },
  },
  ...clickRules,
];

function isAbove(order: PreparedOrder, options: AllRuleOptions, { currency }: Site): boolean {
  return order.total > (currency.toMinor(options.first_order_above.amount) ?? 0);
}

/** Reads what the rules ask: nothing for nearly all orders. */
export async function readFacts(
  tx: Transaction,
  site: Site,
  options: AllRuleOptions,
  scope: CheckScope,
): Promise<Facts> {
  const [known, traces, holders] = await Promise.all([
    readKnown(tx, site, options, scope),
    readTraces(tx, options, scope.clickIds),
    readHolders(tx, site, options, scope),
  ]);
  return { known, traces, holders };
}

async function readKnown(
  tx: Transaction,
  site: Site,
  options: AllRuleOptions,
  { orders, affiliateIds }: CheckScope,
): Promise<Set<number>> {
  const { action } = options.first_order_above;
  if (action === 'off' || !orders.some((order) => isAbove(order, options, site))) return new Set();
  const rows = await firstOrdersOf(tx, [...affiliateIds]);
  return new Set(rows.map(({ user_id }) => user_id));
}
