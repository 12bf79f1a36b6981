import { addOrders, type Affiliate } from './affiliates.ts';
import type { Chance } from './chance.ts';

/** An order that a rule about orders can see something in. */
export interface SuspiciousOrder {
  readonly day: number;
  readonly customerEmail: string;
  /** Empty if the store does not send it. */
  readonly customerName: string;
  /** The store's id of the customer is that of an earlier order with the affiliate's own mailbox. */
  readonly isKnownCustomer?: boolean;
  /** Names of ad parameters on the landing address of its click. */
  readonly ads: string;
}

/** What an affiliate does from a day on. It changes their days, and returns orders with traces of it. */
type Abuse = (chance: Chance, affiliate: Affiliate, start: number) => SuspiciousOrder[];

const REFUNDS = 0.06;

function eachDay(
  { days }: Affiliate,
  start: number,
  length: number,
  run: (day: number, age: number) => void,
): void {
  for (let age = 0; age < length && start + age < days.length; age += 1) run(start + age, age);
}

/** Someone publishes the code on a coupon site: customers use it who never saw the affiliate. */
const leakedCode: Abuse = (chance, affiliate, start) => {
  const size = Math.max(15, chance.lognormal(30, 0.7));
  eachDay(affiliate, start, chance.between(14, 60), (day, age) => {
    // The first day is not a whole one.
    const mean = age === 0 ? size * chance.within(0.5, 1) : size * 0.99 ** age;
    const unlinked = chance.poisson(mean);
    addOrders(chance, affiliate, day, { linked: 0, unlinked, clicks: 0, refundShare: REFUNDS });
  });
  return [];
};

/** The affiliate buys ads on the store's name. */
const adBidder: Abuse = (chance, affiliate, start) => {
  const visits = chance.lognormal(120, 0.6);
  const found: SuspiciousOrder[] = [];
  eachDay(affiliate, start, 60, (day) => {
    const clicks = chance.poisson(visits);
    const linked = Math.min(clicks, chance.poisson(visits * 0.06));
    addOrders(chance, affiliate, day, { linked, unlinked: 0, clicks, refundShare: REFUNDS });
    for (let i = 0; i < linked; i += 1) {
      // Some browsers remove the parameters.
      const ads = chance.happens(0.8) ? chance.pick(['gclid', 'msclkid', 'gad_source']) : '';
      const customerEmail = `customer${chance.between(1, 1e6)}@gmail.com`;
      found.push({ day, customerEmail, customerName: '', ads });
    }
  });
  return found;
};

/** The affiliate orders with their own code. An unrelated mailbox leaves no trace. */
function ownOrders(
  customerEmail: (affiliate: Affiliate) => string,
  customerName: (affiliate: Affiliate) => string = () => '',
  knownShare = 0,
): Abuse {
  return (chance, affiliate, start) => {
    const found: SuspiciousOrder[] = [];
    const isKnownCustomer = knownShare > 0 && chance.happens(knownShare);
    eachDay(affiliate, start, 120, (day) => {
      if (!chance.happens(0.2)) return;
      const one = { linked: 0, unlinked: 1, clicks: 0, refundShare: REFUNDS };
      addOrders(chance, affiliate, day, one);
      found.push({
        day,
        customerEmail: customerEmail(affiliate),
        customerName: customerName(affiliate),
        isKnownCustomer,
        ads: '',
      });
    });
    return found;
  };
}

/** A program clicks the link. */
const clickFraud: Abuse = (chance, affiliate, start) => {
  const clicks = Math.max(800, chance.lognormal(2_000, 0.6));
  eachDay(affiliate, start, chance.between(10, 30), (day) => {
    const one = { linked: 0, unlinked: 0, clicks: chance.poisson(clicks), refundShare: 0 };
    addOrders(chance, affiliate, day, one);
  });
  return [];
};

/** Pages load the link in secret, and people who would have bought anyway are credited. */
const cookieStuffing: Abuse = (chance, affiliate, start) => {
  const visits = Math.max(700, chance.lognormal(1_500, 0.5));
  eachDay(affiliate, start, 60, (day) => {
    const clicks = chance.poisson(visits);
    const linked = chance.poisson(visits * 0.002);
    addOrders(chance, affiliate, day, { linked, unlinked: 0, clicks, refundShare: REFUNDS });
  });
  return [];
};

/** A browser extension opens the link at the checkout: nearly each click is an order. */
const checkoutExtension: Abuse = (chance, affiliate, start) => {
  const size = chance.within(4, 40);
  eachDay(affiliate, start, 60, (day) => {
    const clicks = chance.poisson(size);
    const linked = Math.round(clicks * chance.within(0.6, 0.95));
    addOrders(chance, affiliate, day, { linked, unlinked: 0, clicks, refundShare: REFUNDS });
  });
  return [];
};

/** Orders that are returned after the commission was paid. */
const refundAbuse: Abuse = (chance, affiliate, start) => {
  const size = chance.within(1, 6);
  const refundShare = chance.within(0.6, 0.95);
  eachDay(affiliate, start, 60, (day) => {
    const linked = chance.poisson(size);
    const clicks = linked * 5;
    addOrders(chance, affiliate, day, { linked, unlinked: 0, clicks, refundShare });
  });
  return [];
};

/** What is simulated, by its name in the table. */
export const abuses: Readonly<Record<string, Abuse>> = {
  'leaked code': leakedCode,
  'ads on the store’s name': adBidder,
  'own orders, same mailbox': ownOrders(({ email }) => email.replace('@', '+shop@')),
  'own orders, other mailbox at the own domain': ownOrders(({ id }) => `shop@site${id}.shop`),
  'own orders, unrelated mailbox, own name': ownOrders(
    ({ id }) => `someone${id}@outlook.com`,
    ({ name }) => name.split(' ').toReversed().join(' '),
  ),
  'own orders, unrelated mailbox and name': ownOrders(({ id }) => `someone${id}@outlook.com`),
  'click fraud': clickFraud,
  'cookie stuffing': cookieStuffing,
  'extension at the checkout': checkoutExtension,
  'refund abuse': refundAbuse,
  // Most have ordered for themselves before, with their own mailbox.
  'own orders, unrelated mailbox, customer account of their own': ownOrders(
    ({ id }) => `someone${id}@outlook.com`,
    () => '',
    0.7,
  ),
};

/** An affiliate whose domain is their own, for abuse that shows it. */
export function withOwnDomain(affiliate: Affiliate): Affiliate {
  return { ...affiliate, email: `me@site${affiliate.id}.shop` };
}
