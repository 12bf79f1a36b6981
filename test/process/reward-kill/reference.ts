import { DAY_MS, plusDays, plusMonths, START_DAY, windowOf } from './days.ts';
import type { Bonus, Counter, History, RuleShape, Version } from './history.ts';

/**
 * What the ledger must have, from the history alone. It is written from the description of rewards: it knows nothing of
 * transactions, processes and stored sums, and adds up everything again for each question.
 */

/** What the coupon earns where no rule decides. */
export const COUPON_PERCENT = 10;
export const BONUS_CENTS = 700;

export interface Rule extends RuleShape {
  readonly id: number;
}

/** What was so when an order first counted, and holds for it from then on. */
interface Moment {
  readonly payment: number;
  readonly isRepeat: boolean;
  readonly nth: number;
  readonly since: string;
  readonly counters: ReadonlyMap<number, number>;
  /** What limits had paid, each time that the order began to count. */
  spent: ReadonlyMap<number, number>;
}

interface Order {
  readonly number: number;
  readonly day: string;
  readonly customer: number;
  readonly candles: boolean;
  readonly subscription: number;
  /** The rules of the moment when it was first stored. */
  readonly rules: readonly Rule[];
  /** Undefined until it counts. */
  moment: Moment | undefined;
  status: Version['status'];
  /** Goods without what was refunded. */
  sales: number;
  commission: number;
  /** By rule, what it has added under its limit. */
  limited: Map<number, number>;
  /** When the money is payable; null while the order is not completed. */
  payableAt: number | null;
}

interface Payment {
  readonly bonus: Bonus;
  readonly first: string;
  readonly last: string;
  readonly amount: number;
  readonly payableAt: number;
  isGranted: boolean;
}

/** Half a cent is rounded up. The amounts are thousandths of a cent. */
const rounded = (thousandths: number) => Math.floor((thousandths + 500) / 1_000);

export class Reference {
  readonly #bonuses: History['bonuses'];
  readonly #delayDays: number;
  /** The list, in its order. */
  rules: (Rule & { isActive: boolean })[] = [];
  readonly orders = new Map<number, Order>();
  #payments: Payment[] = [];
  /** What happened, for a test that must not be empty. */
  readonly seen = { renewals: 0, keptRules: 0, steps: 0, limits: 0, takenBack: 0, bonuses: 0 };

  constructor({ bonuses }: History, delayDays: number) {
    this.#bonuses = bonuses;
    this.#delayDays = delayDays;
  }

  store(version: Version, nowMs: number, today: string): void {
    const { number, status, goods } = { ...version, number: version.order };
    let order = this.orders.get(number);
    if (!order) {
      order = this.#newOrder(version, plusDays(today, -version.daysAgo));
      this.orders.set(number, order);
    }
    const refund = Math.min(version.refund, goods);
    if (status !== 'cancelled') {
      if (!order.moment) order.moment = this.#decide(order);
      else if (order.status === 'cancelled') order.moment.spent = this.#spentBefore(order);
    }
    if (status !== 'completed') order.payableAt = null;
    else order.payableAt ??= nowMs + this.#delayDays * DAY_MS;
    order.status = status;
    order.sales = goods - refund;
    this.#earn(order, refund > 0 && refund === goods);
  }

  #newOrder(version: Version, day: string): Order {
    const { order: number, customer, candles, subscription } = version;
    const active = this.rules.filter(({ isActive }) => isActive);
    const running = active.filter((rule) => rule.running);
    const ids = new Set(running.map(({ id }) => id));
    const first = this.#paymentsBefore({ number, subscription, day })[0];
    // A renewal keeps the rules of the first payment; one from before it does so, too.
    const kept = first?.rules.filter(({ id }) => !ids.has(id));
    const rules: Rule[] = kept ? [...running, ...kept] : active.map((rule) => ({ ...rule }));
    if (kept) {
      this.seen.renewals += 1;
      const isOther = (a: Rule, b: Rule | undefined) => JSON.stringify(a) !== JSON.stringify(b);
      if (rules.some((rule, i) => isOther(rule, active[i]))) this.seen.keptRules += 1;
    }
    return {
      number,
      day,
      customer,
      candles,
      subscription,
      rules,
      moment: undefined,
      status: 'cancelled',
      sales: 0,
      commission: 0,
      limited: new Map(),
      payableAt: null,
    };
  }
  /** What is decided when an order first counts. */
  #decide(order: Order): Moment {
    const { day, subscription, rules } = order;
    const earlier = this.#earlierThan(order);
    const payment = this.#paymentsBefore(order).length + 1;
    const counters = new Map<number, number>();
    for (const { id, rate } of rules) {
      if (rate.kind === 'steps') counters.set(id, this.#count(rate, windowOf(rate.window, day)));
    }
    return {
      payment,
      isRepeat: earlier.length > 0,
      nth: subscription > 0 ? payment : earlier.length + 1,
      since: earlier.map((one) => one.day).sort()[0] ?? day,
      counters,
      spent: this.#spentBefore(order),
    };
  }

  #spentBefore({ number, customer, day, rules }: Order): Map<number, number> {
    const spent = new Map<number, number>();
    for (const { id, limit } of rules) {
      if (!limit || !('cents' in limit)) continue;
      const { first, last } = windowOf(limit.window, day);
      let sum = 0;
      for (const one of this.orders.values()) {
        // What an order has earned counts for whom the rule was limited when that order came in.
        const then = one.rules.find((rule) => rule.id === id)?.limit;
        if (!then || !('per' in then) || then.per !== limit.per) continue;
        if (one.number === number || one.day < first || one.day > last) continue;
        if (limit.per === 'customer' && one.customer !== customer) continue;
        sum += one.limited.get(id) ?? 0;
      }
      spent.set(id, sum);
    }
    return spent;
  }

  /** The payments of a subscription before an order, oldest first. */
  #paymentsBefore({ number, subscription, day }: Pick<Order, 'number' | 'subscription' | 'day'>) {
    if (subscription === 0) return [];
    return [...this.orders.values()]
      .filter((one) => one.subscription === subscription && isBefore(one, { number, day }))
      .sort((a, b) => (isBefore(a, b) ? -1 : 1));
  }

  /** The orders of the same customer before one. */
  #earlierThan({ number, customer, day }: Pick<Order, 'number' | 'customer' | 'day'>): Order[] {
    return [...this.orders.values()].filter(
      (one) => one.customer === customer && isBefore(one, { number, day }),
    );
  }

  #count({ by, counts }: Counter, { first, last }: { first: string; last: string }): number {
    let sum = 0;
    for (const one of this.orders.values()) {
      if (one.day < first || one.day > last) continue;
      if (one.status === 'cancelled' || (counts === 'granted' && one.status !== 'completed')) {
        continue;
      }
      if (by === 'new_customers') sum += one.moment!.isRepeat ? 0 : 1;
      else sum += by === 'orders' ? 1 : one[by];
    }
    return sum;
  }

  #earn(order: Order, isRefunded: boolean): void {
    order.commission = 0;
    order.limited = new Map();
    const { moment } = order;
    if (isRefunded || order.status === 'cancelled' || !moment) return;
    const matching = order.rules.filter((rule) => isFor(rule, order, moment));
    const covering = matching.filter((rule) => !rule.candles || order.candles);
    const percent = this.#rateOf(covering, order, moment, 'percent') ?? {
      value: moment.payment === 1 ? COUPON_PERCENT : 0,
      rule: 0,
    };
    const fixed = this.#rateOf(covering, order, moment, 'fixed') ?? { value: 0, rule: 0 };
    const parts = new Map<number, number>();
    const add = (rule: number, amount: number) => parts.set(rule, (parts.get(rule) ?? 0) + amount);
    add(percent.rule, Math.round(order.sales * percent.value * 10));
    add(fixed.rule, fixed.value * 1_000);
    const caps = new Map<number, number>();
    for (const { id, limit } of matching) {
      if (!limit || !('cents' in limit)) continue;
      caps.set(id, Math.max(0, limit.cents - (moment.spent.get(id) ?? 0)) * 1_000);
    }
    let sum = 0;
    for (const [rule, amount] of parts) {
      const cap = caps.get(rule);
      if (cap !== undefined && amount > cap) this.seen.limits += 1;
      const earned = Math.min(amount, cap ?? amount);
      sum += earned;
      if (cap !== undefined) order.limited.set(rule, rounded(earned));
    }
    order.commission = rounded(sum);
    for (const [rule, earned] of order.limited) {
      order.limited.set(rule, Math.min(earned, order.commission));
    }
  }

  /** The first rule that sets the rate. */
  #rateOf(rules: readonly Rule[], { day }: Order, moment: Moment, of: 'percent' | 'fixed') {
    for (const { id, rate, limit } of rules) {
      let value: number | undefined;
      if (rate.kind === 'excluded') value = 0;
      else if (of === 'fixed') value = 'cents' in rate ? rate.cents : undefined;
      else if (rate.kind === 'steps') {
        const counter = moment.counters.get(id)!;
        value = rate.percents[counter >= 2 * rate.at ? 2 : counter >= rate.at ? 1 : 0];
        if (counter >= rate.at) this.seen.steps += 1;
      } else value = 'percent' in rate ? rate.percent : undefined;
      if (value === undefined) continue;
      const isBeyond =
        limit &&
        rate.kind !== 'excluded' &&
        (('payments' in limit && moment.nth > limit.payments) ||
          ('months' in limit && day >= plusMonths(moment.since, limit.months)));
      return { value: isBeyond ? 0 : value, rule: id };
    }
    return undefined;
  }

  /** What is due at this moment: the job has nothing left to do. */
  payBonuses(nowMs: number, today: string): void {
    this.#payments = this.#payments.filter((payment) => {
      if (payment.isGranted) return true;
      if (this.#count(payment.bonus, payment) < payment.bonus.at) {
        this.seen.takenBack += 1;
        return false;
      }
      payment.isGranted = payment.payableAt <= nowMs;
      return true;
    });
    const days = [...this.orders.values()].map(({ day }) => day).sort();
    for (const bonus of this.#bonuses) {
      for (const day of days) {
        const { first, last } = windowOf(bonus.window, day);
        const isPaid = this.#payments.some((one) => one.bonus === bonus && one.first === first);
        if (isPaid || last < START_DAY) continue;
        if (bonus.pays !== 'amount' && today <= last) continue;
        if (this.#count(bonus, { first, last }) < bonus.at) continue;
        const amount =
          bonus.pays === 'amount'
            ? BONUS_CENTS
            : rounded(this.#count({ ...bonus, by: bonus.pays }, { first, last }) * 25);
        if (amount === 0) continue;
        this.seen.bonuses += 1;
        const payableAt = nowMs + this.#delayDays * DAY_MS;
        const isGranted = this.#delayDays === 0;
        this.#payments.push({ bonus, first, last, amount, payableAt, isGranted });
      }
    }
  }

  /** By order, and for all bonuses together: what is held or awaited, and what is payable, in cents. */
  pools(nowMs: number): Record<string, { awaiting: number; unpaid: number }> {
    const pools: Record<string, { awaiting: number; unpaid: number }> = {};
    const add = (name: string, isPayable: boolean, amount: number) => {
      if (amount === 0) return;
      pools[name] ??= { awaiting: 0, unpaid: 0 };
      pools[name][isPayable ? 'unpaid' : 'awaiting'] += amount;
    };
    for (const { number, commission, payableAt } of this.orders.values()) {
      add(`order ${number}`, payableAt !== null && payableAt <= nowMs, commission);
    }
    for (const { amount, isGranted } of this.#payments) add('bonuses', isGranted, amount);
    return pools;
  }
}

/** Whether an order that counts was placed before another one. */
function isBefore(
  { status, day, number }: Pick<Order, 'status' | 'day' | 'number'>,
  other: Pick<Order, 'day' | 'number'>,
): boolean {
  if (status === 'cancelled') return false;
  return day < other.day || (day === other.day && number < other.number);
}

function isFor(
  { customer, payment, fromDay, toDay }: Rule,
  { day }: Order,
  moment: Moment,
): boolean {
  if (customer !== 'any' && (customer === 'repeat') !== moment.isRepeat) return false;
  if (payment !== 'any' && (payment === 'renewal') !== moment.payment > 1) return false;
  return (
    (fromDay === null || day >= plusDays(START_DAY, fromDay)) &&
    (toDay === null || day <= plusDays(START_DAY, toDay))
  );
}
