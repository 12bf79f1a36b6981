import assert from 'node:assert/strict';
import { plusDays, START_DAY, todayOf } from './days.ts';
import {
  WINDOW_DAYS,
  type Command,
  type History,
  type RuleShape,
  type Version,
  type Window,
} from './history.ts';
import type { KilledServer } from './killed-server.ts';
import { BONUS_CENTS, COUPON_PERCENT, Reference } from './reference.ts';

export const STORE = '/svc/store/v1';
export const DELAY_DAYS = 14;

const windowInput = (kind: Window) => ({ kind, ...(kind === 'days' && { days: WINDOW_DAYS }) });

/** An amount of cents in the currency, or a number. */
const atOf = ({ by, at }: { by: string; at: number }) =>
  by === 'sales' || by === 'commission' ? at / 100 : at;

function rateInput(rate: RuleShape['rate']): object {
  if (rate.kind === 'excluded') return { excluded: true };
  if (rate.kind !== 'steps') {
    return {
      ...('percent' in rate && { percent: rate.percent }),
      ...('cents' in rate && { fixed_per_order: rate.cents / 100 }),
    };
  }
  const { by, counts, window, percents } = rate;
  const second = atOf(rate);
  const from = [0, second, 2 * second];
  const steps = percents.map((percent, i) => ({ from: from[i], percent }));
  return { steps: { by, counts, window: windowInput(window), steps } };
}

function ruleInput({ candles, customer, payment, fromDay, toDay, ...rule }: RuleShape): object {
  const { limit, rate, running } = rule;
  return {
    what: candles ? { categories: ['candles'] } : {},
    order: { customer, payment },
    from: fromDay === null ? null : plusDays(START_DAY, fromDay),
    to: toDay === null ? null : plusDays(START_DAY, toDay),
    rate: rateInput(rate),
    limit:
      limit && 'cents' in limit
        ? { amount: limit.cents / 100, per: limit.per, window: windowInput(limit.window) }
        : limit,
    running,
  };
}

/** One affiliate: sends the commands of its history, and compares the ledger with its reference. */
export class Sender {
  readonly #service: KilledServer;
  readonly #key: string;
  readonly #number: number;
  readonly #history: History;
  readonly reference: Reference;
  #affiliate = 0;
  #coupon = 0;
  #requests = 0;
  /** The first version of each order. */
  readonly #firsts = new Map<number, Version>();
  acknowledged = 0;

  constructor(service: KilledServer, key: string, number: number, of: History) {
    this.#service = service;
    this.#key = key;
    this.#number = number;
    this.#history = of;
    this.reference = new Reference(of, DELAY_DAYS);
  }

  async #send(method: string, path: string, json?: object) {
    const response = await this.#service.request(STORE + path, {
      method,
      headers: {
        authorization: `Bearer ${this.#key}`,
        'x-forwarded-proto': 'https',
        ...(json && { 'content-type': 'application/json' }),
        // A batch has none: the service recognises what it has stored.
        ...(method === 'POST' &&
          path !== '/orders/batch' && {
            'idempotency-key': `${this.#number}-${(this.#requests += 1)}`,
          }),
      },
      ...(json && { body: JSON.stringify(json) }),
    });
    const text = await response.text();
    // A request that was answered, and whose answer was lost, finds nothing to delete.
    const isGone = method === 'DELETE' && response.status === 404;
    assert.ok(response.status < 300 || isGone, `${method} ${path} ${text}`);
    this.acknowledged += 1;
    return text === '' ? undefined : JSON.parse(text);
  }

  async begin(): Promise<void> {
    const login = `person${this.#number}`;
    const person = { login, email: `${login}@test.example`, display_name: login };
    this.#affiliate = (await this.#send('POST', '/affiliates', person)).id;
    const coupon = { code: this.#code, user_id: this.#affiliate, percent_override: COUPON_PERCENT };
    this.#coupon = (await this.#send('POST', '/coupons', coupon)).id;
    for (const bonus of this.#history.bonuses) {
      const { by, counts, window, once, pays } = bonus;
      await this.#send('POST', '/rewards/bonuses', {
        name: `Bonus of ${login}`,
        who: { affiliates: [this.#affiliate] },
        target: { by, counts, window: { kind: window }, at: atOf(bonus) },
        once,
        pays: pays === 'amount' ? { amount: BONUS_CENTS / 100 } : { percent: 2.5, of: pays },
      });
    }
  }

  get #code(): string {
    return `CODE${this.#number}`;
  }

  async play(wave: number): Promise<void> {
    for (const command of this.#history.waves[wave]!) await this.#play(command);
  }

  async #play(command: Command): Promise<void> {
    const { rules } = this.reference;
    if (command.do === 'orders') return this.#store(command.versions);
    if (command.do === 'create') {
      const who = { affiliates: [this.#affiliate] };
      const input = { ...ruleInput(command.rule), who };
      const { id } = await this.#send('POST', '/rewards/rules', input);
      rules.push({ ...command.rule, id, isActive: true });
      return;
    }
    if (rules.length === 0) return;
    const at = command.which % rules.length;
    const known = rules[at]!;
    const path = `/rewards/rules/${known.id}`;
    if (command.do === 'delete') {
      await this.#send('DELETE', path);
      rules.splice(at, 1);
    } else if (command.do === 'switch') {
      const isActive = !known.isActive;
      await this.#send('PATCH', path, { active: isActive });
      rules[at] = { ...known, isActive };
    } else {
      await this.#send('PATCH', path, ruleInput(command.rule));
      rules[at] = { ...command.rule, id: known.id, isActive: known.isActive };
    }
  }

  async #store(versions: readonly Version[]): Promise<void> {
    const { nowMs } = this.#service;
    const today = todayOf(nowMs);
    for (const version of this.#inSequence(versions, today)) {
      this.reference.store(version, nowMs, today);
    }
    const orders = versions.map((version) => {
      if (!this.#firsts.has(version.order)) this.#firsts.set(version.order, version);
      const known = this.#firsts.get(version.order)!;
      const { day } = this.reference.orders.get(version.order)!;
      return this.#toOrder(version, known, day);
    });
    const { results } = await this.#send('POST', '/orders/batch', { orders });
    for (const { status } of results) assert.ok(status < 300, JSON.stringify(results));
  }

  /** As a batch decides them: oldest first, and versions of the same order after each other. */
  #inSequence(versions: readonly Version[], today: string): Version[] {
    const days = new Map<number, string>();
    const rounds = new Map<number, number>();
    const placed = versions.map((version) => {
      const { order, daysAgo } = version;
      const known = this.reference.orders.get(order)?.day ?? days.get(order);
      const day = known ?? plusDays(today, -daysAgo);
      days.set(order, day);
      const round = rounds.get(order) ?? 0;
      rounds.set(order, round + 1);
      return { version, day, round };
    });
    placed.sort(
      (a, b) =>
        a.round - b.round || a.day.localeCompare(b.day) || a.version.order - b.version.order,
    );
    return placed.map(({ version }) => version);
  }

  #toOrder({ order, goods, refund, status }: Version, first: Version, day: string): object {
    const refunded = Math.min(refund, goods) / 100;
    return {
      order_id: this.#number * 100 + order + 1,
      date: `${day}T10:00:00`,
      status,
      subtotal: goods / 100,
      total: goods / 100,
      coupon_codes: [this.#code],
      items: [
        {
          product_id: first.candles ? '1' : '2',
          category_ids: first.candles ? ['candles'] : [],
          quantity: 1,
          subtotal: goods / 100,
          total: goods / 100,
        },
      ],
      refunds: refunded === 0 ? [] : [{ id: 1, amount: refunded }],
      customer: { email: `c${first.customer}@shop${this.#number}.example` },
      ...(first.subscription > 0 && {
        subscription: { id: `s${this.#number}-${first.subscription}` },
      }),
    };
  }

  /** Compares the entries of the ledger with the history. */
  async check(): Promise<void> {
    const { nowMs } = this.#service;
    const pools: Record<string, Record<string, number>> = {};
    for (let page = 1, isMore = true; isMore; page += 1) {
      const path = `/coupons/${this.#coupon}/ledger?per_page=100&page=${page}`;
      const body = await this.#send('GET', path);
      isMore = body.length === 100;
      for (const { kind, from, to, amount, order_id } of body) {
        const name = kind === 'bonus' ? 'bonuses' : `order ${(order_id % 100) - 1}`;
        pools[name] ??= { awaiting: 0, unpaid: 0 };
        const cents = Math.round(amount * 100);
        if (from !== 'earned') pools[name][from]! -= cents;
        if (to !== 'earned') pools[name][to]! += cents;
      }
    }
    for (const [name, { awaiting, unpaid }] of Object.entries(pools)) {
      if (awaiting === 0 && unpaid === 0) delete pools[name];
    }
    const sorted = (of: object) => Object.entries(of).sort();
    const when = `${this.#code}, ${new Date(nowMs).toISOString()}`;
    assert.deepEqual(sorted(pools), sorted(this.reference.pools(nowMs)), when);
  }
}
