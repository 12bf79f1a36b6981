import { domainOf, mailboxOf } from '../../../../src/shared/email-address.ts';
import { foldName } from '../../../../src/shared/person-name.ts';
import type { Look } from '../../rules/look.ts';
import { orderRules } from '../../rules/order-rules.ts';
import type { AllRuleOptions, RuleName } from '../../rules/rules.ts';
import type { SuspiciousOrder } from './abuse.ts';
import type { Affiliate } from './affiliates.ts';
import type { Chance } from './chance.ts';

const PROVIDERS = ['gmail.com', 'outlook.com', 'icloud.com', 'yahoo.com', 'gmx.de', 'web.de'];
const COMPANIES = 3_000;

/** The rules about orders that find something in this one. */
export function lookAtOrder(
  { email, name: holder }: Affiliate,
  { customerEmail, customerName, ads, isKnownCustomer = false }: SuspiciousOrder,
  options: AllRuleOptions,
): RuleName[] {
  // The rule compares hashes of both mailboxes, with a key of the site; the mailbox of a customer id is known to it.
  const isOwn = isKnownCustomer || mailboxOf(customerEmail) === mailboxOf(email);
  if (isOwn && options.own_order.action !== 'off') return ['own_order'];
  const trace = { click_id: 1, referrer: '', ads, campaign: '' };
  const looked = {
    order: {
      mailDomain: domainOf(customerEmail),
      mailboxHash: null,
      linkedMailboxHash: null,
      customerName,
      total: 0,
    },
    referral: { order_id: 1, coupon_id: 1, user_id: 1, click_id: 1 },
    ownerEmail: email,
    options,
    facts: {
      known: new Set([1]),
      traces: new Map([[1, trace]]),
      holders: new Map([[1, foldName(holder)]]),
    },
  };
  // What the rules look at: the rest of an order does not matter to them.
  const look = looked as unknown as Look;
  return orderRules
    .filter(({ name }) => options[name].action !== 'off')
    .filter((rule) => rule.look(look))
    .map(({ name }) => name);
}

/** What rules about orders find in the honest orders of an affiliate. */
export function honestOrders(
  chance: Chance,
  affiliate: Affiliate,
  options: AllRuleOptions,
  since: number,
): { rule: RuleName; day: number }[] {
  const found: { rule: RuleName; day: number }[] = [];
  // Friends who have a mailbox at the domain of a few affiliates, and order now and then.
  const hasFriends = chance.happens(0.02);
  for (let day = since; day < affiliate.days.length; day += 1) {
    for (let i = 0; i < affiliate.days[day]!.orders; i += 1) {
      const customerEmail = `a@${domainOfCustomer(chance, affiliate, hasFriends)}`;
      const ads = affiliate.hasCopiedAd && chance.happens(0.05) ? 'gclid' : '';
      const isNamesake = chance.happens(1 / 50_000);
      const order = { day, customerEmail, customerName: isNamesake ? affiliate.name : '', ads };
      for (const rule of lookAtOrder(affiliate, order, options)) found.push({ rule, day });
    }
  }
  return found;
}

function domainOfCustomer(chance: Chance, { email }: Affiliate, hasFriends: boolean): string {
  if (hasFriends && chance.happens(0.01)) return domainOf(email)!;
  if (chance.happens(0.0005)) return 'mailinator.com';
  if (chance.happens(0.85)) return chance.pick(PROVIDERS);
  return `company${chance.between(1, COMPANIES)}.com`;
}
