import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { STORE, type Cluster } from './cluster.ts';

/**
 * Clients that use the service while its instances are killed. Each repeats a request until it
 * is answered, as a careful client does, and keeps count of what must have come of it.
 */
export interface Shopper {
  work(until: () => boolean): Promise<void>;
}

let lastOrder = 0;
/** Mails are written no faster than one instance sends them. */
const PAUSE_MS = 50;
/** Without it the clients would use the processor for as long as a killed instance takes to start. */
const THINK_MS = 30;
/** Between two looks at a feed that had nothing new, which is when the others wait too: it leaves them the processor. */
const IDLE_MS = 200;

/** Sends orders for a coupon, and changes some of them. */
export class OrderSender implements Shopper {
  readonly totals = new Map<number, number>();
  readonly #cluster: Cluster;
  readonly #code: string;

  constructor(cluster: Cluster, code: string) {
    this.#cluster = cluster;
    this.#code = code;
  }

  get sum(): number {
    return [...this.totals.values()].reduce((sum, total) => sum + total, 0);
  }

  async work(until: () => boolean): Promise<void> {
    while (!until()) {
      const known = [...this.totals.keys()];
      const isChange = known.length > 0 && Math.random() < 0.3;
      const id = isChange ? known[Math.trunc(Math.random() * known.length)]! : ++lastOrder;
      const total = Math.ceil(Math.random() * 200);
      const reply = await this.#cluster.persist(`${STORE}/orders/${id}`, {
        method: 'PUT',
        json: {
          date: '2026-03-01T10:00:00Z',
          status: 'completed',
          total,
          coupon_codes: [this.#code],
        },
      });
      assert.match(String(reply.status), /^20[01]$/, reply.text);
      this.totals.set(id, total);
      await setTimeout(THINK_MS);
    }
  }
}

const once = (json: unknown) => ({
  method: 'POST',
  json,
  headers: { 'Idempotency-Key': randomUUID() },
});

/** Earns money on a coupon and asks for it, again and again. */
export class PayoutTaker implements Shopper {
  /** In cents. */
  earned = 0;
  readonly payouts = new Set<number>();
  readonly couponId: number;
  readonly #cluster: Cluster;

  constructor(cluster: Cluster, couponId: number) {
    this.#cluster = cluster;
    this.couponId = couponId;
  }

  async work(until: () => boolean): Promise<void> {
    while (!until()) {
      const cents = Math.ceil(Math.random() * 5_000);
      const path = `${STORE}/coupons/${this.couponId}/adjustments`;
      const adjustment = once({ amount: cents / 100, note: 'Test' });
      const earned = await this.#cluster.persist(path, adjustment);
      assert.equal(earned.status, 201, earned.text);
      this.earned += cents;
      const reply = await this.#cluster.persist('/payouts', once({ coupon_id: this.couponId }));
      // An instance that died at the gateway leaves a payout that is asked about for a while; or it
      // was settled in the meantime, and nothing is left to pay.
      assert.match(String(reply.status), /^(?:20[01]|400|409)$/, reply.text);
      if (reply.status < 300) this.payouts.add(reply.body.id);
      await setTimeout(THINK_MS);
    }
  }
}

/** Changes where an affiliate is paid: each time a mail says so. */
export class AccountMover implements Shopper {
  moves = 0;
  readonly email: string;
  readonly #cluster: Cluster;
  readonly #path: string;

  constructor(cluster: Cluster, affiliate: { id: number; email: string }) {
    this.#cluster = cluster;
    this.email = affiliate.email;
    this.#path = `${STORE}/affiliates/${affiliate.id}/payout-details`;
  }

  async work(until: () => boolean): Promise<void> {
    while (!until()) {
      const details = { account: `acct_1NXmoved${this.moves + 1}` };
      const json = { method_type: 'stripe', details };
      const reply = await this.#cluster.persist(this.#path, { method: 'PUT', json });
      assert.equal(reply.status, 200, reply.text);
      this.moves += 1;
      await setTimeout(PAUSE_MS);
    }
  }
}

/** Makes keys at one instance, uses them at another and revokes them at a third. */
export class KeyUser implements Shopper {
  made = 0;
  readonly #cluster: Cluster;

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
  }

  async work(until: () => boolean): Promise<void> {
    while (!until()) {
      const { status, body, text } = await this.#cluster.persist('/keys', once({}));
      assert.equal(status, 201, text);
      this.made += 1;
      const key = body.token as string;
      const used = await this.#cluster.persist('/me', { key });
      assert.equal(used.status, 200, used.text);
      const revoked = await this.#cluster.persist(`/keys/${body.id}`, { method: 'DELETE' });
      // A retry after a lost response finds the key revoked.
      assert.match(String(revoked.status), /^(?:200|404)$/, revoked.text);
      await setTimeout(THINK_MS);
    }
  }
}

interface FeedEvent {
  id: number;
  event: string;
}

/** Follows the feed with a cursor, at whichever instance answers. */
export class FeedReader implements Shopper {
  readonly seen: FeedEvent[] = [];
  readonly #cluster: Cluster;

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
  }

  async work(until: () => boolean): Promise<void> {
    for (;;) {
      const isLast = until();
      const after = this.seen.at(-1)?.id ?? 0;
      const page = await this.#cluster.persist(`/events?after=${after}&per_page=100`, {});
      assert.equal(page.status, 200, page.text);
      this.seen.push(...page.body.map(({ id, event }: FeedEvent) => ({ id, event })));
      if (page.body.length > 0) continue;
      if (isLast) return;
      await setTimeout(IDLE_MS);
    }
  }
}
