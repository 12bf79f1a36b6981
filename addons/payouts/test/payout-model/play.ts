import assert from 'node:assert/strict';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { adjustCoupon } from '../../../../src/modules/ledger/adjust-coupon.ts';
import { changeSettings } from '../../../../src/modules/settings/index.ts';
import { courier } from '../../../../test/models/courier.ts';
import { readFeed, type FeedEntry } from '../../../../test/models/feed.ts';
import {
  bankDetails,
  Installation,
  logins,
  owners,
  type Template,
  type Reply,
} from '../../../../test/models/installation.ts';
import { testServer } from '../../../../test/postgres/databases.ts';
import { requestPayout } from '../../api/request-payout.ts';
import { setPayoutDetails } from '../../details/set-payout-details.ts';
import { followUp } from '../../payment/follow-up.ts';
import { readBooks, readDays, type Books, type Day } from './books.ts';
import type { Command, Simple } from './commands.ts';
import { Reference } from './reference.ts';

const DAY_MS = 86_400_000;

/** A command that has been started, with what its result is compared with. */
interface RunningCommand {
  command: Simple;
  /** The payout that the command changes. */
  payoutId?: number;
  note?: string;
  reply?: Reply;
  done: Promise<unknown>;
}

/** Counts what happened, so that a test that does nothing fails. */
export const done = new Map<string, number>();

const count = (what: string) => void done.set(what, (done.get(what) ?? 0) + 1);

/** Plays commands against an installation and the reference, and compares both after each command. */
export class Play {
  readonly #installation: Installation;
  readonly #reference = new Reference();
  #head: number;
  #books: Books;
  #notes = 0;

  private constructor(installation: Installation, head: number, books: Books) {
    this.#installation = installation;
    this.#head = head;
    this.#books = books;
  }

  static async open(prepared: Template): Promise<Play> {
    courier.reset();
    const installation = await Installation.open(prepared);
    const feed = await readFeed(installation.site, 0);
    return new Play(installation, feed.length, await readBooks(installation.site));
  }

  async close(): Promise<void> {
    await this.#installation.close();
  }

  async play(command: Command): Promise<void> {
    this.#installation.clockMs += 1_000;
    switch (command.do) {
      case 'one':
        return this.#one(command);
      case 'together':
        return this.#together(command);
      case 'crash':
        return this.#crash(command);
      case 'wait':
        this.#installation.clockMs += command.ms;
        return;
      case 'payment':
        return this.#settlePayment(command);
      case 'edge':
        return this.#edge(command);
      case 'set':
        count('set');
        return this.#set(command);
      case 'details':
        return this.#setDetails(command);
    }
  }

  async #one({ command, script, refuse }: Command & { do: 'one' }): Promise<void> {
    courier.script = script;
    courier.refusal = refuse ? 'Not today.' : undefined;
    const predicted =
      command.do === 'request' || (command.do === 'change' && this.#reference.payouts.length > 0)
        ? this.#reference.expect(command, script, this.#installation.clockMs)
        : undefined;
    const before = { head: this.#head, books: this.#books };
    const running = this.#begin(command);
    if (!running) return;
    await running.done;
    courier.refusal = undefined;
    const emitted = await this.#compare([running]);
    if (!predicted) return;
    count(`${command.do}: ${running.reply!.short}`);
    assert.ok(
      predicted.reply.includes(running.reply!.short),
      `${JSON.stringify(running.reply)} instead of ${predicted.reply.join(' or ')}`,
    );
    const events = emitted.map(({ event }) => event.replace('payout.', ''));
    assert.deepEqual(events, predicted.events);
    if (predicted.events.length > 0) return;
    assert.equal(this.#head, before.head, 'no event');
    assert.deepEqual(this.#books, before.books, 'a refused command changes nothing');
  }

  async #together({ commands, script }: Command & { do: 'together' }): Promise<void> {
    courier.script = script;
    const running = this.#beginAll(commands);
    await Promise.all(running.map((one) => one.done));
    count('together');
    await this.#compare(running);
  }

  async #crash({ commands, script, ticks }: Command & { do: 'crash' }): Promise<void> {
    courier.script = script;
    const running = this.#beginAll(commands);
    for (const one of running) one.done.catch(() => {});
    await passTicks(ticks);
    const answered = running.map((one) => ({ ...one }));
    await this.#installation.crash(running.map((one) => one.done));
    this.#reference.crashedMs = this.#installation.clockMs;
    count('crash');
    if (answered.some(({ reply }) => !reply)) count('crash in the middle');
    await this.#compare(answered);
    if (this.#books.payouts.some(({ status }) => status === 'processing')) {
      count('crash: something is processing');
    }
  }

  #settlePayment({ payment, state }: Command & { do: 'payment' }): void {
    const payments = courier.payments.filter((one) => one.state !== 'returned');
    if (payments.length === 0) return;
    payments[payment % payments.length]!.state = state;
    count('payment');
  }

  async #edge({ name, plus, script, command }: Command & { do: 'edge' }): Promise<void> {
    const { unpaid } = this.#reference.pools(command.coupon);
    const before = this.#reference.settings[name];
    await this.#set({ do: 'set', name, value: Math.max(0, unpaid + plus) / 100 });
    await this.#one({ do: 'one', script, refuse: false, command });
    await this.#set({ do: 'set', name, value: before });
  }

  async #set({ name, value }: Command & { do: 'set' }): Promise<void> {
    this.#reference.settings[name] = value;
    const text = Array.isArray(value) ? value : String(value);
    const reply = await this.#installation.invoke(changeSettings, { [`payouts.${name}`]: text });
    assert.equal(reply.short, 'done');
    await this.#compare([]);
  }

  async #setDetails({ login, method }: Command & { do: 'details' }): Promise<void> {
    const { clockMs } = this.#installation;
    const reply = await this.#installation.invoke(setPayoutDetails, {
      id: logins.indexOf(login) + 1,
      method_type: method,
      details: method === 'banktransfer' ? bankDetails : {},
    });
    assert.equal(reply.short, 'done');
    const { methods } = this.#reference;
    if (methods.get(login)!.type !== method) methods.set(login, { type: method, sinceMs: clockMs });
    count('details');
    await this.#compare([]);
  }

  /** Starts several commands at once; of two that send the same order only the first. */
  #beginAll(commands: Simple[]): RunningCommand[] {
    const orders = new Set<number>();
    const all = commands.filter((command) => {
      if (command.do !== 'order') return true;
      if (orders.has(command.order)) return false;
      orders.add(command.order);
      return true;
    });
    return all.map((command) => this.#begin(command)).filter((running) => running !== undefined);
  }

  #begin(command: Simple): RunningCommand | undefined {
    const installation = this.#installation;
    const begin = (doing: Promise<Reply>, more: Partial<RunningCommand> = {}): RunningCommand => {
      count(command.do);
      const running: RunningCommand = { command, ...more, done: doing };
      running.done = doing.then((reply) => (running.reply = reply));
      return running;
    };
    switch (command.do) {
      case 'order':
        return begin(this.#sendOrder(command));
      case 'adjust': {
        const note = `Adjustment ${++this.#notes}`;
        const values = { id: command.coupon + 1, amount: command.amount / 100, note };
        return begin(installation.invoke(adjustCoupon, values), { note });
      }
      case 'request':
        return begin(this.#request(command));
      case 'change': {
        const payoutId = this.#reference.pick(command.payout)?.id;
        if (payoutId === undefined) return undefined;
        const status = { status: command.to };
        return begin(installation.call('POST', `/v2/payouts/${payoutId}/status`, 'admin', status), {
          payoutId,
        });
      }
      case 'follow-up':
        return begin(followUp.run(installation.site).then(() => ({ short: 'done', body: {} })));
    }
  }

  #sendOrder({ order, coupon, status, goods, refund }: Simple & { do: 'order' }): Promise<Reply> {
    const refunded = Math.min(refund, goods);
    return this.#installation.call('PUT', `/store/v1/orders/${order + 1}`, 'admin', {
      date: '2026-03-01T10:00:00',
      status,
      total: goods / 100,
      coupon_codes: [`MODEL${coupon}`],
      refunds: refunded === 0 ? [] : [{ id: 1, amount: refunded / 100 }],
    });
  }

  async #request({ coupon, by }: Simple & { do: 'request' }): Promise<Reply> {
    const body = { coupon_id: coupon + 1 };
    const owner = owners[coupon] ?? 'nina';
    const login = { owner, other: owner === 'maya' ? 'tomas' : 'maya', admin: 'admin' } as const;
    if (by !== 'system') return this.#installation.call('POST', '/v2/payouts', login[by], body);
    const reply = await this.#installation.invoke(requestPayout, body);
    if (reply.short !== 'done') return reply;
    return { ...reply, short: 'gateway_triggered' in reply.body ? '201' : '200' };
  }

  /** Checks everything that must always hold. Returns the new payout events. */
  async #compare(running: RunningCommand[]): Promise<FeedEntry[]> {
    const { site } = this.#installation;
    const feed = await readFeed(site, this.#head);
    assert.deepEqual(
      feed.map(({ id }) => id),
      feed.map((_, index) => this.#head + 1 + index),
      'the feed has no gap',
    );
    this.#head += feed.length;
    for (const one of running) this.#takeOrders(one, feed);
    const emitted = feed.filter(({ event }) => event.startsWith('payout.'));
    for (const event of feed) {
      if (/^(?:payout|commission)\./.test(event.event)) this.#reference.apply(event);
    }
    this.#books = await readBooks(site);
    this.#compareBooks();
    this.#compareGateway();
    compareAnswers(running, emitted);
    return emitted;
  }

  /** Adds acknowledged orders and adjustments to the reference. */
  #takeOrders({ command, note, reply }: RunningCommand, feed: FeedEntry[]): void {
    if (command.do === 'order') {
      assert.match(reply!.short, /^20[01]$/, JSON.stringify(reply));
      this.#reference.orders.set(command.order, command);
    }
    if (command.do !== 'adjust') return;
    const isEmitted = feed.some(({ data }) => data.note === note);
    // Without an answer, because the process died, the adjustment may or may not have been made.
    if (reply) assert.deepEqual([reply.short, isEmitted], ['done', true]);
    if (isEmitted) this.#reference.adjusted[command.coupon]! += command.amount;
  }

  #compareBooks(): void {
    for (const [coupon, { id, ...stored }] of this.#books.coupons.entries()) {
      const expected = this.#reference.pools(coupon);
      assert.deepEqual(stored, expected, `the balances of coupon ${id}`);
      const { unpaid, pending_payout: pending, paid } = stored;
      const replayed = this.#reference.replayed[coupon];
      assert.deepEqual(replayed, { unpaid, pending, paid }, `the events of coupon ${id}`);
    }
    assert.deepEqual(
      this.#books.payouts.map((p) => [p.id, p.coupon_id - 1, p.amount, p.status, p.method_type]),
      this.#reference.payouts.map((p) => [p.id, p.coupon, p.amount, p.status, p.method]),
    );
  }

  #compareGateway(): void {
    assert.deepEqual(courier.errors, []);
    for (const { payoutId } of courier.payments) {
      const payout = this.#reference.payouts.find(({ id }) => id === payoutId);
      assert.ok(payout, `payout ${payoutId} was paid before it was stored`);
    }
    for (const [index, payout] of this.#reference.payouts.entries()) {
      const { id, status, method, amount } = payout;
      const payments = courier.of(id);
      assert.ok(payments.length <= 1, `payout ${id} was paid ${payments.length} times`);
      for (const payment of payments) assert.equal(payment.amount, amount);
      if (!payout.byGateway || method !== 'courier') continue;
      const isPaid = payments.some(({ state }) => state !== 'returned');
      if (status === 'failed') assert.ok(!isPaid, `payout ${id} failed but was paid`);
      if (status !== 'paid' && status !== 'created') continue;
      const { transaction_id } = this.#books.payouts[index]!;
      assert.equal(transaction_id, payments[0]?.id, `payout ${id} is ${status}`);
    }
  }

  /** With a working gateway and enough time, every payout at a gateway settles. */
  async settle(): Promise<void> {
    courier.script = { pay: 'paid', ask: 'truth', before: 0, after: 0 };
    for (let round = 0; round < 2; round += 1) {
      this.#installation.clockMs += 31 * DAY_MS;
      await followUp.run(this.#installation.site);
      await this.#compare([]);
    }
    for (const { id, method, status, byGateway, askedBefore } of this.#reference.payouts) {
      assert.notEqual(status, 'processing', `payout ${id}`);
      if (!byGateway || method !== 'courier') continue;
      const [payment] = courier.of(id);
      if (status === 'created') assert.equal(payment?.state, 'on-its-way', `payout ${id}`);
      // A paid payout is checked five more times.
      const asked = (courier.asked.get(id) ?? 0) - askedBefore;
      if (status === 'paid' && asked < 5) assert.equal(payment?.state, 'complete', `payout ${id}`);
      count(`settled: ${status}`);
    }
    const reply = await this.#installation.call('GET', '/store/v1/ledger/verify', 'admin');
    assert.deepEqual([reply.body.ok, reply.body.differences], [true, []]);
    assert.equal(reply.body.coupons, owners.length);
    const stored = await readDays(this.#installation.site);
    assert.deepEqual(sorted(stored), sorted(daysOf(this.#books)));
    const negative = this.#books.coupons.filter(({ unpaid }) => unpaid < 0);
    if (negative.length > 0) count('ended below zero');
  }
}

/** On PostgreSQL most event loop ticks only wait for the server, so a tick is a millisecond there. */
async function passTicks(ticks: number): Promise<void> {
  if (testServer() !== undefined) return setTimeout(ticks);
  for (let tick = 0; tick < ticks; tick += 1) await setImmediate();
}

/** Every acknowledged change has its event, and every event an acknowledged change. */
function compareAnswers(running: RunningCommand[], emitted: FeedEntry[]): void {
  const isWhole = running.every(({ reply }) => reply);
  const changed = emitted.filter(
    ({ event, userId }) => userId !== 0 && event !== 'payout.requested',
  );
  const requested = emitted.filter(({ event }) => event === 'payout.requested');
  const successes = { change: [] as string[], request: [] as string[] };
  for (const { command, payoutId, reply } of running) {
    if (!reply) continue;
    assert.doesNotMatch(reply.short, /^5/, JSON.stringify(reply));
    if (command.do === 'change' && reply.short === '200') {
      successes.change.push(`${payoutId} ${command.to}`);
      assert.equal(reply.body.status, command.to);
    }
    if (command.do === 'request' && reply.short === '201') {
      successes.request.push(String(reply.body.id));
    }
  }
  const events = {
    change: changed.map(({ data }) => `${data.payout_id} ${data.status}`),
    request: requested.map(({ data }) => String(data.payout_id)),
  };
  for (const kind of ['change', 'request'] as const) {
    const missing = [...events[kind]];
    for (const success of successes[kind]) {
      const index = missing.indexOf(success);
      assert.ok(index >= 0, `${kind} ${success} was acknowledged but is not in the feed`);
      missing.splice(index, 1);
    }
    if (isWhole) assert.deepEqual(missing, [], `${kind}: events without an acknowledged request`);
  }
}

function daysOf({ payouts }: Books): Day[] {
  const days = new Map<string, Day>();
  for (const { status, amount, requested_day, paid_day } of payouts) {
    for (const [basis, day] of [
      ['requested', requested_day],
      ['paid', paid_day],
    ] as const) {
      if (day === null) continue;
      const key = `${basis} ${day} ${status}`;
      const sums = days.get(key) ?? { basis, day, status, payouts: 0, amount: 0 };
      days.set(key, { ...sums, payouts: sums.payouts + 1, amount: sums.amount + amount });
    }
  }
  return [...days.values()];
}

const sorted = (days: Day[]) =>
  days
    .map(({ basis, day, status, payouts, amount }) => [basis, day, status, payouts, amount].join())
    .sort();
