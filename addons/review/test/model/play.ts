import assert from 'node:assert/strict';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { releaseHeld } from '../../../../src/modules/orders/index.ts';
import { changeSettings } from '../../../../src/modules/settings/index.ts';
import { readFeed } from '../../../../test/models/feed.ts';
import { Installation, type Reply, type Template } from '../../../../test/models/installation.ts';
import { testServer } from '../../../../test/postgres/databases.ts';
import { changeReviewRule } from '../../api/change-rule.ts';
import {
  earnedOf,
  isInPayout,
  takenOf,
  readBooks,
  readFigures,
  type Books,
  type Payout,
} from './books.ts';
import { COUPONS, type Command, type Simple } from './commands.ts';

const HOUR_MS = 3_600_000;
const sending = new Set(['payout.created', 'payout.paid']);

/** Counts what happened, so that a test that does nothing fails. */
export const done = new Map<string, number>();
const count = (what: string) => void done.set(what, (done.get(what) ?? 0) + 1);

/** What a program without cases gets too. */
type Step =
  | { readonly clockMs: number; readonly order: Simple & { do: 'order' } }
  | { readonly clockMs: number; readonly delay: number };

interface Running {
  readonly command: Simple;
  /** The payout that is changed. */
  readonly payout?: Payout | undefined;
  reply?: Reply;
  done: Promise<unknown>;
}

/** Every second order is suspicious. */
const isSuspicious = (order: number) => order % 2 === 0;

async function sendOrder(
  installation: Installation,
  { order, status, goods, refund }: Simple & { do: 'order' },
): Promise<Reply> {
  const refunded = Math.min(refund, goods);
  const domain = isSuspicious(order) ? 'gone.example' : 'shop.example';
  return installation.call('PUT', `/store/v1/orders/${order + 1}`, 'admin', {
    date: '2026-03-01T10:00:00',
    status,
    total: goods / 100,
    coupon_codes: [`MODEL${COUPONS[order % 3 === 0 ? 0 : 1] - 1}`],
    refunds: refunded === 0 ? [] : [{ id: 1, amount: refunded / 100 }],
    customer: { email: `customer${order}@${domain}` },
  });
}

/** As one of a selection: what is in review is refused there, and not where a person records what was paid. */
async function changePayout(
  installation: Installation,
  id: number,
  status: string,
): Promise<Reply> {
  const body = { ids: [id], status };
  const reply = await installation.call('POST', '/store/v1/payouts/batch', 'admin', body);
  const error = reply.body?.items?.[0]?.error;
  if (!error) return reply;
  const refused = error.code === 'svc_api_server_error' ? 500 : 409;
  return { ...reply, short: `${refused} ${error.code}` };
}

async function setDelay(installation: Installation, days: number): Promise<void> {
  const reply = await installation.invoke(changeSettings, {
    'commission.delay_days': String(days),
  });
  assert.equal(reply.short, 'done');
}

async function openWith(prepared: Template, action: 'hold' | 'off'): Promise<Installation> {
  const installation = await Installation.open(prepared);
  await installation.invoke(changeSettings, {
    'payouts.auto_accept': 'false',
    'payouts.details_required': 'false',
  });
  const rule = { name: 'throwaway_mail', action, domains: ['gone.example'] };
  assert.equal((await installation.invoke(changeReviewRule, rule)).short, 'done');
  return installation;
}

/** Plays commands against an installation, and checks after each of them what must always hold. */
export class Play {
  readonly #prepared: Template;
  readonly #installation: Installation;
  readonly #steps: Step[] = [];
  /** The states of the cases in the order of the feed. */
  readonly #caseStates = new Map<number, string>();
  #head = 0;
  #books!: Books;

  private constructor(prepared: Template, installation: Installation) {
    this.#prepared = prepared;
    this.#installation = installation;
  }

  static async open(prepared: Template): Promise<Play> {
    const play = new Play(prepared, await openWith(prepared, 'hold'));
    await play.#check([]);
    return play;
  }

  close(): Promise<void> {
    return this.#installation.close();
  }

  async play(command: Command): Promise<void> {
    this.#installation.clockMs += 1_000;
    const { clockMs } = this.#installation;
    if (command.do === 'one') return this.#one(command.command);
    if (command.do === 'together') return this.#together(command.commands);
    if (command.do === 'crash') return this.#crash(command);
    if (command.do === 'delay') {
      await setDelay(this.#installation, command.days);
      this.#steps.push({ clockMs, delay: command.days });
    } else {
      this.#installation.clockMs += command.hours * HOUR_MS;
      await releaseHeld.run(this.#installation.site);
    }
    await this.#check([]);
  }

  async #one(command: Simple): Promise<void> {
    const before = this.#books;
    const running = this.#begin(command);
    if (!running) return;
    await running.done;
    const { reply, payout } = running as Required<Running>;
    count(`${command.do}: ${reply.short}`);
    if (reply.short === '409 svc_api_payout_in_review') {
      const suspicious = this.#inReview(before, (order) => takenOf(before, payout!.id, order) > 0);
      assert.ok(suspicious.length > 0, `payout ${payout!.id} holds nothing that is in review`);
    }
    await this.#check([running]);
    if (!reply.short.startsWith('2')) {
      assert.deepEqual(this.#books, before, 'a refused command changes nothing');
    }
  }

  async #together(commands: readonly Simple[]): Promise<void> {
    const running = this.#beginAll(commands);
    await Promise.all(running.map((one) => one.done));
    count('together');
    await this.#check(running);
  }

  async #crash({ commands, ticks }: Command & { do: 'crash' }): Promise<void> {
    const running = this.#beginAll(commands);
    for (const one of running) one.done.catch(() => {});
    // On PostgreSQL most event loop ticks only wait for the server, so a tick is a millisecond there.
    if (testServer() !== undefined) await setTimeout(ticks);
    else for (let tick = 0; tick < ticks; tick += 1) await setImmediate();
    if (running.some(({ reply }) => !reply)) count('crash in the middle');
    await this.#installation.crash(running.map((one) => one.done));
    count('crash');
    await this.#check([]);
  }

  /** Starts several commands at once; of two that send the same order only the first. */
  #beginAll(commands: readonly Simple[]): Running[] {
    const orders = new Set<number>();
    const all = commands.filter((command) => {
      if (command.do !== 'order') return true;
      if (orders.has(command.order)) return false;
      orders.add(command.order);
      return true;
    });
    return all.map((command) => this.#begin(command)).filter((running) => running !== undefined);
  }

  #begin(command: Simple): Running | undefined {
    const installation = this.#installation;
    const begin = (doing: Promise<Reply>, payout?: Payout): Running => {
      count(command.do);
      const running: Running = { command, payout, done: doing };
      running.done = doing.then((reply) => (running.reply = reply));
      return running;
    };
    const pick = <T>(all: readonly T[], which: number) => all[which % all.length];
    switch (command.do) {
      case 'order':
        return begin(sendOrder(installation, command));
      case 'request': {
        const body = { coupon_id: command.coupon };
        return begin(installation.call('POST', '/v2/payouts', 'admin', body));
      }
      case 'change': {
        const payout = pick(this.#books.payouts, command.payout);
        if (!payout) return undefined;
        return begin(changePayout(installation, payout.id, command.to), payout);
      }
      default: {
        const row = pick(this.#books.cases, command.case);
        if (!row) return undefined;
        const path = `/store/v1/cases/${row.id}/${command.do}`;
        const body = command.do === 'decide' ? { decision: command.decision } : undefined;
        return begin(installation.call('POST', path, 'admin', body));
      }
    }
  }

  /** Those of the orders whose cases are open or rejected. */
  #inReview({ cases }: Books, isWanted: (order: number) => boolean): number[] {
    const isUndecided = (id: number) => (this.#caseStates.get(id) ?? 'cleared') !== 'cleared';
    const orders = cases.filter(({ id }) => isUndecided(id)).map((one) => Number(one.subject_id));
    return orders.filter(isWanted);
  }

  /** Checks everything that must always hold. */
  async #check(running: readonly Running[]): Promise<void> {
    const { site, clockMs } = this.#installation;
    for (const { command, reply } of running) {
      assert.doesNotMatch(reply!.short, /^5/, JSON.stringify(reply));
      if (command.do !== 'order') continue;
      assert.match(reply!.short, /^20[01]$/, JSON.stringify(reply));
      this.#steps.push({ clockMs, order: command });
    }
    this.#books = await readBooks(site);
    for (const { id, event, data } of await readFeed(site, this.#head)) {
      this.#head = id;
      if (event.startsWith('case.')) {
        this.#caseStates.set(Number(data['case_id']), String(data['state']));
      }
      if (sending.has(event)) this.#checkSent(Number(data['payout_id']));
    }
    this.#checkCases();
  }

  #checkSent(payoutId: number): void {
    count('sent');
    const orders = this.#inReview(this.#books, (order) => isInPayout(this.#books, payoutId, order));
    assert.deepEqual(orders, [], `payout ${payoutId} was sent with commission in review`);
  }

  /** Nothing that can be paid out comes from an order whose case is open or rejected. */
  #checkCases(): void {
    const { cases, shares, payouts } = this.#books;
    for (const { id, state, subject_id, held } of cases) {
      assert.equal(this.#caseStates.get(id), state, `the events of case ${id}`);
      assert.ok(held >= 0 && (held === 0 || state === 'open'), `case ${id} holds ${held}`);
      if (state === 'cleared') continue;
      const order = Number(subject_id);
      const open = payouts.filter(
        (one) => one.status !== 'paid' && isInPayout(this.#books, one.id, order),
      );
      const earned = earnedOf(this.#books, order);
      if (held > 0) assert.equal(earned, 0, `order ${order} is in review and earns ${earned}`);
      if (earned !== 0) {
        // It was paid out before the case was opened, and is not held.
        assert.equal(state, 'open', `order ${order} of the rejected case ${id} earns ${earned}`);
        assert.ok((shares.left.get(order) ?? 0) <= 0, `order ${order} is payable in case ${id}`);
        assert.deepEqual(open, [], `order ${order} is in an open payout in case ${id}`);
        count('found after it was paid');
      } else if (open.length > 0) count('found in an open payout');
    }
  }

  /** Once all cases are cleared, everything is as in a program in which they never were. */
  async settle(): Promise<void> {
    for (const { id, state } of this.#books.cases) {
      const path = `/store/v1/cases/${id}`;
      if (state !== 'open') {
        const reply = await this.#installation.call('POST', `${path}/reopen`, 'admin');
        if (reply.short === '409 svc_api_undo_too_late') {
          count('too late to undo');
          if (state === 'cleared') continue;
          // What was rejected a month ago stays so: there is no twin of that.
          return;
        }
        assert.equal(reply.short, '200', JSON.stringify(reply));
      }
      const clear = { decision: 'clear' };
      const reply = await this.#installation.call('POST', `${path}/decide`, 'admin', clear);
      assert.equal(reply.short, '200', JSON.stringify(reply));
      count('cleared');
    }
    await this.#release(this.#installation);
    await this.#check([]);
    const verified = await this.#installation.call('GET', '/store/v1/ledger/verify', 'admin');
    assert.deepEqual([verified.body.ok, verified.body.differences], [true, []]);
    const twin = await openWith(this.#prepared, 'off');
    try {
      for (const step of this.#steps) {
        twin.clockMs = step.clockMs;
        await releaseHeld.run(twin.site);
        if ('delay' in step) await setDelay(twin, step.delay);
        else await sendOrder(twin, step.order);
      }
      twin.clockMs = this.#installation.clockMs;
      await releaseHeld.run(twin.site);
      assert.deepEqual(await readFigures(this.#installation.site), await readFigures(twin.site));
    } finally {
      await twin.close();
    }
  }

  async #release(installation: Installation): Promise<void> {
    installation.clockMs += 100 * HOUR_MS;
    await releaseHeld.run(installation.site);
  }
}
