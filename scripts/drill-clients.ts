import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Api } from '../test/upgrades/fill-store.ts';

const STORE = '/svc/store/v1';
const CLIENTS = 8;
const RETRY_MS = 50;
/** Ten percent of an order of 50.00. */
const COMMISSION = 500;

interface Target {
  readonly bases: readonly string[];
  readonly token: string;
}

/** Runs a statement on the database, beside the service. */
type Ask = (sql: string) => Promise<unknown[]>;

/** A store's programs: each writes an order, requests the payout of its commission, marks it paid, and reads. */
export class DrillClients {
  /** Responses by method and status; 0 for none. */
  readonly responses = new Map<string, number>();
  readonly #target: Target;
  readonly #coupons: number[] = [];
  readonly #orders: number[] = [];
  readonly #payouts: number[] = [];
  #nextOrder = 1;
  #stopped = false;
  #running: Promise<void>[] = [];
  #changed: (() => void) | undefined;

  static async create(target: Target, api: Api): Promise<DrillClients> {
    const clients = new DrillClients(target);
    await api('PATCH', `${STORE}/settings`, {
      'api.rate_per_minute': 1_000_000,
      'payouts.details_required': false,
    });
    for (let i = 1; i <= CLIENTS; i++) {
      await api('POST', `${STORE}/affiliates`, {
        login: `affiliate${i}`,
        email: `affiliate${i}@affiliates.example`,
        coupon: { code: `CODE${i}` },
      });
      const [coupon] = await api('GET', `/svc/v2/coupons?search=CODE${i}`);
      clients.#coupons.push(coupon.id);
    }
    return clients;
  }

  private constructor(target: Target) {
    this.#target = target;
  }

  get acknowledged(): { orders: number; payouts: number } {
    return { orders: this.#orders.length, payouts: this.#payouts.length };
  }

  start(): void {
    this.#stopped = false;
    this.#running = this.#coupons.map((coupon, i) => this.#run(coupon, `CODE${i + 1}`));
  }

  /** Each ends what it has begun, however often it has to be sent. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all(this.#running);
  }

  /** Resolves when a change that is sent from now on is acknowledged. */
  change(): Promise<void> {
    return new Promise((resolve) => (this.#changed = resolve));
  }

  /** What is stored, compared with what was acknowledged, while the clients are stopped. */
  async compare(ask: Ask): Promise<{ lost: number; doubled: number }> {
    const coupons = `coupon_id in (${this.#coupons.join()})`;
    // Each time that a commission was earned has a line of its own in the ledger.
    const earned = `select order_id as id from ledger where ${coupons} and from_pool = 'earned' and amount = ${COMMISSION}`;
    const orders = differences(this.#orders, await ask(earned));
    // A request that was carried out twice leaves a payout that no client knows.
    const requested = `select id from payouts where ${coupons} and status = 'paid' and amount = ${COMMISSION}`;
    const payouts = differences(this.#payouts, await ask(requested));
    return { lost: orders.lost + payouts.lost, doubled: orders.doubled + payouts.doubled };
  }

  async #run(coupon: number, code: string): Promise<void> {
    while (!this.#stopped) {
      const id = this.#nextOrder++;
      await this.#insist('PUT', `${STORE}/orders/${id}`, {
        date: new Date().toISOString(),
        status: 'completed',
        total: 50,
        coupon_codes: [code],
        customer: { id, email: `customer${id}@store.example` },
        items: [{ product_id: 7, quantity: 1, subtotal: 50, total: 50 }],
      });
      this.#orders.push(id);
      const payout = await this.#insist('POST', '/svc/v2/payouts', { coupon_id: coupon });
      await this.#insist('POST', `/svc/v2/payouts/${payout.id}/status`, { status: 'paid' });
      this.#payouts.push(payout.id);
      await this.#insist('GET', `/svc/v2/coupons/${coupon}/stats`);
    }
  }

  /** Sends the same request, with the same key, until it is acknowledged. */
  async #insist(method: string, path: string, body?: object): Promise<any> {
    const key = randomUUID();
    for (let attempt = 0; ; attempt++) {
      const base = this.#target.bases[attempt % this.#target.bases.length]!;
      const changed = this.#changed;
      const response = await this.#send(method, base + path, key, body);
      const status = response?.status ?? 0;
      const name = `${method} ${status}`;
      this.responses.set(name, (this.responses.get(name) ?? 0) + 1);
      const text = await response?.text().catch(() => undefined);
      if (response?.ok && text !== undefined) {
        if (method !== 'GET' && changed === this.#changed) changed?.();
        return JSON.parse(text);
      }
      assert.ok(status === 0 || status >= 500, `${method} ${path}: ${status} ${text}`);
      await sleep(RETRY_MS);
    }
  }

  #send(method: string, url: string, key: string, body?: object): Promise<Response | undefined> {
    return fetch(url, {
      method,
      headers: {
        authorization: `Bearer ${this.#target.token}`,
        'x-forwarded-proto': 'https',
        ...(body && { 'content-type': 'application/json' }),
        ...(method === 'POST' && { 'idempotency-key': key }),
      },
      ...(body && { body: JSON.stringify(body) }),
    }).catch(() => undefined);
  }
}

function differences(
  acknowledged: readonly number[],
  rows: unknown[],
): { lost: number; doubled: number } {
  const stored = rows.map((row) => Number((row as { id: unknown }).id));
  const ids = new Set(stored);
  return {
    lost: acknowledged.filter((id) => !ids.has(id)).length,
    doubled: stored.length - new Set(acknowledged).intersection(ids).size,
  };
}
