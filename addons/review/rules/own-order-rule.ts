import type { Transaction } from '../../../src/db/database.ts';
import type { Site } from '../../../src/kernel/declare/site.ts';
import { payoutHolders } from '../../../src/modules/ledger/index.ts';
import { allowSelf, ownOrderBy, type CheckScope } from '../../../src/modules/orders/index.ts';
import { foldName } from '../../../src/shared/person-name.ts';
import type { OrderRule } from './look.ts';
import type { AllRuleOptions } from './rules.ts';

/** An order of the affiliate itself: by the mailbox, by the store's id of the customer, or by the name alone. */
export const ownOrder: OrderRule = {
  name: 'own_order',
  look({ order, referral, ownerEmail, options, facts, site }) {
    const by = ownOrderBy(site, order, ownerEmail);
    if (by !== undefined) {
      // As a rejection it is part of attribution: such an order earns nothing and opens no case.
      if (options.own_order.action === 'reject') return undefined;
      return { figures: by === 'customer_id' ? { what: by } : {} };
    }
    const holder = facts.holders.get(referral.user_id);
    if (holder === undefined || holder !== foldName(order.customerName ?? '')) return undefined;
    // Two people may have the same name.
    return { figures: { what: 'name' }, isDoubtful: true };
  },
};

/** Reads who payouts go to, in one statement, if an order has a name. */
export async function readHolders(
  tx: Transaction,
  site: Site,
  options: AllRuleOptions,
  { orders, affiliateIds }: CheckScope,
): Promise<ReadonlyMap<number, string>> {
  const { action } = options.own_order;
  const isAsked = action !== 'off' && !(action === 'reject' && site.settings.get(allowSelf));
  if (!isAsked || !orders.some(({ customerName }) => customerName)) return new Map();
  const found = await Promise.all(
    site.registry.contributions(payoutHolders).map((read) => read(tx, site, affiliateIds)),
  );
  return new Map(found.flatMap((holders) => [...holders]));
}
