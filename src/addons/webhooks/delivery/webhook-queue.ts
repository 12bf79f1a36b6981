import type { Site } from '../../../kernel/declare/site.ts';
import { claimDeliveries, releaseDeliveries, type DueDelivery } from './delivery-store.ts';
import { GONE, isDown } from './health.ts';
import type { Recorder } from './recorder.ts';
import { decryptSecret } from '../secret.ts';
import { EXCHANGE_MS_MAX, send, type Outcome, type Target } from './post-delivery.ts';
import { findWebhook, lockWebhook, saveWebhook } from '../webhook-store.ts';

/** Attempts to one webhook at the same time, at most. */
const WINDOW_MAX = 8;
/** Deliveries taken at once for each attempt that may run. */
const CLAIMED_PER_SLOT = 32;
/** With fewer than this waiting for each, more are taken while they are sent. */
const LOW_PER_SLOT = 16;
export const LEASE_MS = 60_000;
/** What is left of a lease must hold an attempt and its record. */
const LEASE_REST_MS = EXCHANGE_MS_MAX + 5_000;

interface Claimed {
  readonly delivery: DueDelivery;
  /** As it is stored, by the calendar. */
  readonly leasedUntil: number;
  /** The same moment by the monotonic clock: what this process goes by. */
  readonly leaseEndsMs: number;
}

/** What the lanes have in common. */
export interface Road {
  readonly site: Site;
  readonly recorder: Recorder;
  /** One after the other, so that lanes which claim at once do not hold up everybody else. */
  inTurn<T>(claim: () => Promise<T>): Promise<T>;
  /** Slots beyond the first of each lane. */
  readonly spareSlots: { take(): boolean; giveBack(): void };
  /** Aborted when the service stops. */
  readonly ending: AbortSignal;
  isClosed(): boolean;
}

/**
 * What is on its way to one webhook. A lane begins with one attempt at a time and takes one more with
 * each that succeeds: a receiver that hangs holds up a single attempt, a healthy one soon has as
 * many as it can use. A failure sets it back to one; when the receiver counts as down, the lane ends,
 * and one attempt now and then begins a new one.
 */
export class Lane {
  readonly #webhookId: number;
  readonly #road: Road;
  #target: Target | undefined;
  #queue: Claimed[] = [];
  /** Deliveries that wait here or are being sent: a clock that is set ahead ends their leases early. */
  readonly #held = new Set<number>();
  #inFlight = 0;
  #window = 1;
  #failures = 0;
  #mayHaveMore = true;
  #hasEnded = false;
  #claiming: Promise<void> | undefined;
  #recorded: Promise<void> | undefined;
  #changed = Promise.withResolvers<void>();

  constructor(webhookId: number, road: Road) {
    this.#webhookId = webhookId;
    this.#road = road;
  }

  /** Something is due. */
  wake(): void {
    this.#mayHaveMore = true;
    this.#changed.resolve();
  }

  /** Resolves when nothing is due and nothing on its way, or the receiver is down. */
  async run(): Promise<void> {
    for (;;) {
      this.#changed = Promise.withResolvers();
      if (this.#isEnding()) await this.#letGo();
      else this.#claimIfLow();
      this.#startWhatFits();
      if (this.#inFlight === 0 && this.#queue.length === 0 && !this.#claiming) break;
      await Promise.race([this.#claiming ?? this.#changed.promise, this.#changed.promise]);
    }
    // What the next look at the database shows must have all of it.
    await this.#recorded;
  }

  #isEnding(): boolean {
    return this.#hasEnded || this.#road.isClosed();
  }

  #startWhatFits(): void {
    while (this.#queue.length > 0 && this.#inFlight < this.#window && !this.#isEnding()) {
      const claimed = this.#queue[0]!;
      if (this.#inFlight > 0 && !this.#road.spareSlots.take()) return;
      this.#queue.shift();
      // One that waited too long may be somebody else's soon: it comes back when its lease is over.
      if (claimed.leaseEndsMs - this.#road.site.monotonic() < LEASE_REST_MS) {
        this.#held.delete(claimed.delivery.id);
        if (this.#inFlight > 0) this.#road.spareSlots.giveBack();
        continue;
      }
      this.#inFlight += 1;
      void this.#attempt(claimed);
    }
  }

  async #attempt(claimed: Claimed): Promise<void> {
    const { delivery } = claimed;
    const { site, ending, recorder, spareSlots } = this.#road;
    const outcome = await send(site, this.#target!, delivery, ending);
    if (this.#inFlight > 1) spareSlots.giveBack();
    this.#inFlight -= 1;
    if (outcome.error !== '' && ending.aborted) {
      // Cut off by us, so it does not count: it goes back with what waits.
      this.#queue.push(claimed);
    } else {
      this.#adapt(outcome);
      this.#recorded = recorder.record(delivery, outcome);
      void this.#recorded.finally(() => this.#held.delete(delivery.id));
    }
    this.#changed.resolve();
  }

  #adapt({ error, code, retryAfterMs }: Outcome): void {
    if (error === '') {
      this.#failures = 0;
      this.#window = Math.min(this.#window + 1, WINDOW_MAX);
      return;
    }
    this.#failures += 1;
    this.#window = 1;
    if (isDown(this.#failures) || code === GONE || retryAfterMs !== undefined) {
      this.#hasEnded = true;
    }
  }

  #claimIfLow(): void {
    if (this.#claiming || !this.#mayHaveMore) return;
    if (this.#queue.length >= this.#window * LOW_PER_SLOT) return;
    if (this.#window === 1 && this.#inFlight + this.#queue.length > 0) return;
    const claim = () => this.#claimMore();
    this.#claiming = this.#road.inTurn(claim).finally(() => (this.#claiming = undefined));
  }

  async #claimMore(): Promise<void> {
    const { site } = this.#road;
    const now = site.clock();
    const until = now + LEASE_MS;
    const leaseEndsMs = site.monotonic() + LEASE_MS;
    // A lane that has seen no success takes what it sends, so that little waits for a hanging one.
    const limit = this.#window === 1 ? 1 : this.#window * CLAIMED_PER_SLOT;
    const claimed = await site.database.transaction(async (tx) => {
      await lockWebhook(tx, this.#webhookId);
      const webhook = await findWebhook(tx, this.#webhookId);
      if (!webhook || webhook.status !== 'active' || webhook.paused_until > now) return [];
      const isProbe = isDown(webhook.failures);
      const lease = { now, until, limit: isProbe ? 1 : limit };
      const deliveries = await claimDeliveries(tx, webhook.id, lease);
      // Nobody else probes meanwhile.
      if (isProbe && deliveries.length > 0) {
        await saveWebhook(tx, { ...webhook, paused_until: until });
      }
      if (!this.#target) {
        this.#target = { url: new URL(webhook.url), secret: decryptSecret(site, webhook) };
        this.#failures = webhook.failures;
      }
      return deliveries;
    });
    this.#mayHaveMore = claimed.length === limit;
    for (const delivery of claimed) {
      if (this.#held.has(delivery.id)) continue;
      this.#held.add(delivery.id);
      this.#queue.push({ delivery, leasedUntil: until, leaseEndsMs });
    }
  }

  async #letGo(): Promise<void> {
    const queue = this.#queue;
    this.#queue = [];
    for (const { delivery } of queue) this.#held.delete(delivery.id);
    if (queue.length > 0) await this.#release(queue);
  }

  async #release(claimed: Claimed[]): Promise<void> {
    const { site } = this.#road;
    const now = site.clock();
    await site.database.transaction(async (tx) => {
      for (const [until, all] of Map.groupBy(claimed, ({ leasedUntil }) => leasedUntil)) {
        const ids = all.map(({ delivery }) => delivery.id);
        await releaseDeliveries(tx, ids, { now, until });
      }
    });
  }
}
