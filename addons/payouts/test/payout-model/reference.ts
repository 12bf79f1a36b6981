import assert from 'node:assert/strict';
import { courier, type Script } from '../../../../test/models/courier.ts';
import type { FeedEntry } from '../../../../test/models/feed.ts';
import { owners, START_MS, type Login } from '../../../../test/models/installation.ts';
import { testServer } from '../../../../test/postgres/databases.ts';
import type { Requester, SettingName, Simple } from './commands.ts';

export interface Payout {
  id: number;
  /** 0 to 4, as everywhere in the reference. */
  coupon: number;
  login: Login;
  amount: number;
  method: string;
  status: string;
  /** Whether the gateway made the last change. */
  byGateway: boolean;
  /** How often the gateway had been asked at that change. */
  askedBefore: number;
  /** The day of the request if it needed no review. */
  acceptedDay: string | undefined;
}

interface Order {
  coupon: number;
  status: string;
  goods: number;
  refund: number;
}

type ByEvent = Record<string, string>;

/** The event of every allowed transition, repeated independently of the code. */
const byHand: Record<string, ByEvent> = {
  pending: { created: 'created', paid: 'paid', cancel: 'cancelled' },
  created: { pending: 'reopened', paid: 'paid', cancel: 'cancelled' },
  paid: { pending: 'reversed', created: 'reversed', cancel: 'cancelled' },
  cancel: { pending: 'reopened', created: 'reopened' },
};
const byGateway: Record<string, ByEvent> = {
  processing: { created: 'created', paid: 'paid', failed: 'failed' },
  created: { paid: 'paid', failed: 'failed' },
  paid: { failed: 'failed' },
};

const open = ['pending', 'created', 'processing'];
const sum = (numbers: Iterable<number>) => [...numbers].reduce((total, n) => total + n, 0);
const cents = (major: number) => Math.round(major * 100);
const HOUR_MS = 3_600_000;
/** The installation has the time zone UTC. */
const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);
const LEASE_MS = 60_000;

/**
 * The expected state, computed in the simplest way: it stores the last version of every order, adjustment and payout
 * and adds them up. It also replays the events of the feed.
 */
export class Reference {
  readonly orders = new Map<number, Order>();
  readonly adjusted = owners.map(() => 0);
  readonly payouts: Payout[] = [];
  /** The pools according to the events alone. */
  readonly replayed = owners.map(() => ({ unpaid: 0, pending: 0, paid: 0 }));
  readonly methods = new Map<Login, { type: string; sinceMs: number }>([
    ['maya', { type: 'courier', sinceMs: START_MS }],
    ['tomas', { type: 'banktransfer', sinceMs: START_MS }],
  ]);
  readonly settings: Record<SettingName, any> = {
    enabled: true,
    requests_enabled: true,
    details_required: true,
    auto_accept: true,
    first_by_hand: false,
    threshold: 0,
    auto_accept_max: 1_000,
    details_hold_hours: 0,
    methods: ['banktransfer', 'credit', 'courier'],
    invoice_methods: [],
  };
  crashedMs = -Infinity;

  /** A tenth of the goods that were not refunded, with half cents rounded up. */
  #commission({ goods, refund }: Order): number {
    return Math.floor((goods - Math.min(refund, goods) + 5) / 10);
  }

  #earned(coupon: number, status: string): number {
    // A coupon without an affiliate earns nothing.
    if (owners[coupon] === null) return 0;
    const orders = [...this.orders.values()];
    return sum(
      orders
        .filter((order) => order.coupon === coupon && order.status === status)
        .map((order) => this.#commission(order)),
    );
  }

  #sumOf(coupon: number, statuses: string[]): number {
    return sum(
      this.payouts
        .filter((payout) => payout.coupon === coupon && statuses.includes(payout.status))
        .map(({ amount }) => amount),
    );
  }

  pools(coupon: number) {
    const pending = this.#sumOf(coupon, open);
    const paid = this.#sumOf(coupon, ['paid']);
    const granted = this.#earned(coupon, 'completed') + this.adjusted[coupon]!;
    const awaiting = this.#earned(coupon, 'processing');
    return { unpaid: granted - pending - paid, awaiting, pending_payout: pending, paid };
  }

  /** Applies an event. Concurrent changes must have events that are valid one after the other. */
  apply({ event, data, userId, atMs }: FeedEntry): void {
    const coupon = data.coupon_id - 1;
    const pools = this.replayed[coupon]!;
    if (event.startsWith('commission.')) {
      pools.unpaid += event === 'commission.added' ? data.amount : -data.amount;
      return;
    }
    const name = event.replace('payout.', '');
    if (name === 'requested') return this.#applyRequest(data, atMs);
    const payout = this.payouts.find(({ id }) => id === data.payout_id);
    assert.ok(payout, `${event} of a payout that was never requested`);
    assert.equal(data.from, payout.status, `${event} of payout ${payout.id}`);
    const steps = userId === 0 ? byGateway : byHand;
    assert.equal(name, steps[payout.status]?.[data.status], `${payout.status} to ${data.status}`);
    assert.equal(data.amount, payout.amount);
    move(pools, payout, -1);
    payout.status = data.status;
    move(pools, payout, 1);
    if (open.includes(payout.status)) assert.ok(pools.unpaid >= 0 || data.from !== 'cancel');
    payout.byGateway = userId === 0;
    payout.askedBefore = courier.asked.get(payout.id) ?? 0;
  }

  #applyRequest(data: any, atMs: number): void {
    const coupon = data.coupon_id - 1;
    const pools = this.replayed[coupon]!;
    assert.equal(data.from, null);
    assert.ok(['pending', 'processing'].includes(data.status), data.status);
    assert.ok(data.amount > 0);
    assert.equal(data.amount, pools.unpaid, 'the whole unpaid balance');
    assert.ok(!this.openOf(coupon), 'no other payout is open');
    const before = testServer() === undefined ? this.payouts : this.payoutsOf(coupon);
    assert.ok(before.every(({ id }) => id < data.payout_id));
    const payout: Payout = {
      id: data.payout_id,
      coupon,
      login: owners[coupon]!,
      amount: data.amount,
      method: data.method_type,
      status: data.status,
      byGateway: false,
      askedBefore: 0,
      acceptedDay: data.status === 'processing' ? dayOf(atMs) : undefined,
    };
    // PostgreSQL assigns ids before the commit, so the payouts of two coupons may commit in another order.
    this.payouts.splice(this.payouts.findLastIndex(({ id }) => id < payout.id) + 1, 0, payout);
    pools.unpaid -= data.amount;
    pools.pending += data.amount;
  }

  /** One of the newest payouts, because older ones are mostly final. */
  pick(number: number): Payout | undefined {
    const newest = this.payouts.slice(-6);
    return newest[number % newest.length];
  }

  payoutsOf(coupon: number): Payout[] {
    return this.payouts.filter((payout) => payout.coupon === coupon);
  }

  openOf(coupon: number): Payout | undefined {
    return this.payouts.findLast((p) => p.coupon === coupon && open.includes(p.status));
  }

  /** The expected answer and payout events of a command that runs alone. */
  expect(command: Simple, script: Script, nowMs: number): { reply: string[]; events: string[] } {
    if (command.do === 'request') return this.#expectRequest(command, script, nowMs);
    if (command.do !== 'change') throw new Error('the outcome of this command is not predicted');
    const payout = this.pick(command.payout)!;
    if (payout.status === command.to) return refused('400 svc_api_no_change');
    const event = byHand[payout.status]?.[command.to];
    if (!event) return refused('400 svc_api_invalid_transition');
    if (payout.status === 'cancel' && this.pools(payout.coupon).unpaid < payout.amount) {
      return refused('409 svc_api_insufficient_unpaid');
    }
    return { reply: ['200'], events: [event] };
  }

  #expectRequest(
    { coupon, by }: { coupon: number; by: Requester },
    script: Script,
    nowMs: number,
  ): { reply: string[]; events: string[] } {
    const { settings } = this;
    const owner = owners[coupon]!;
    const byAdmin = by === 'admin' || by === 'system';
    if (by === 'other' || (by === 'owner' && owner === null))
      return refused('404 svc_api_not_found');
    if (this.openOf(coupon)) {
      // The process that died may have leased the payout.
      return nowMs < this.crashedMs + LEASE_MS
        ? refused('200', '409 svc_api_in_progress')
        : refused('200');
    }
    const { unpaid } = this.pools(coupon);
    const method = owner && this.methods.get(owner);
    if (!settings.enabled) return refused('400 svc_api_payouts_disabled');
    if (!byAdmin && !settings.requests_enabled) return refused('403 svc_api_requests_disabled');
    if (owner === null) return refused('400 svc_api_no_affiliate');
    if (unpaid <= 0) return refused('400 svc_api_no_balance');
    if (unpaid < cents(settings.threshold)) return refused('400 svc_api_below_threshold');
    if (!method && settings.details_required) return refused('400 svc_api_no_payout_details');
    if (method && !byAdmin && !settings.methods.includes(method.type)) {
      return refused('400 svc_api_method_disabled');
    }
    if (method && settings.invoice_methods.includes(method.type)) {
      return refused('400 svc_api_invoice_required');
    }
    if (courier.refusal !== undefined) return refused('409 svc_api_not_created');
    const next = this.#atOnce(owner, unpaid, nowMs) ? this.#outcome(method!.type, script) : [];
    return { reply: ['201'], events: ['requested', ...next] };
  }

  #atOnce(owner: Login, unpaid: number, nowMs: number): boolean {
    const { settings } = this;
    const method = this.methods.get(owner);
    if (!settings.auto_accept || !method || method.type === 'banktransfer') return false;
    const today = this.payouts.filter(
      ({ login, acceptedDay, status }) =>
        login === owner && acceptedDay === dayOf(nowMs) && status !== 'failed',
    );
    const accepted = sum(today.map(({ amount }) => amount));
    if (accepted + unpaid > cents(settings.auto_accept_max)) return false;
    if (nowMs < method.sinceMs + settings.details_hold_hours * HOUR_MS) return false;
    const paid = this.payouts.some(({ login, status }) => login === owner && status === 'paid');
    return paid || !settings.first_by_hand;
  }

  #outcome(method: string, { pay }: Script): string[] {
    if (method === 'credit') return ['paid'];
    const events: Partial<Record<Script['pay'], string>> = {
      paid: 'paid',
      created: 'created',
      declined: 'failed',
    };
    return events[pay] === undefined ? [] : [events[pay]];
  }
}

const refused = (...reply: string[]): { reply: string[]; events: string[] } => ({
  reply,
  events: [],
});

function move(
  pools: { unpaid: number; pending: number; paid: number },
  { status, amount }: Payout,
  sign: 1 | -1,
): void {
  const pool = open.includes(status) ? 'pending' : status === 'paid' ? 'paid' : 'unpaid';
  pools[pool] += sign * amount;
}
