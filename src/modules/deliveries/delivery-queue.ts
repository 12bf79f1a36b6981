import type { Receiver } from './delivery-columns.ts';
import { lockReceiver, type DueDelivery } from './delivery-use.ts';
import { exchange, EXCHANGE_MS_MAX, type DeliveryResult } from './exchange.ts';
import { GONE, isDown } from './health.ts';
import type { Recorder, RecorderContext } from './recorder.ts';

/** Maximum of concurrent attempts to one receiver. */
const WINDOW_MAX = 8;
/** Deliveries claimed together, per concurrent attempt. */
const CLAIMED_PER_SLOT = 32;
/** With fewer than this waiting per concurrent attempt, more are claimed in the meantime. */
const LOW_PER_SLOT = 16;
const BACKGROUND = { background: true, unsynced: true };
export const LEASE_MS = 60_000;
/** The rest of a lease must be long enough for an attempt and its record. */
const LEASE_REST_MS = EXCHANGE_MS_MAX + 5_000;

interface ClaimedDelivery<D extends DueDelivery> {
  readonly delivery: D;
  /** End of the lease as stored, on the system clock. */
  readonly leasedUntil: number;
  /** The same on the monotonic clock, which this process uses. */
  readonly leaseEndsMs: number;
}

/** What all queues share. */
export interface QueueContext<R extends Receiver, D extends DueDelivery, T> extends RecorderContext<
  R,
  D,
  T
> {
  readonly recorder: Recorder<R, D, T>;
  /** Runs claims one after another, so that many queues do not block other transactions. */
  serializeClaim<T>(claim: () => Promise<T>): Promise<T>;
  /** Resolves when an attempt may start: few of them share a turn of the event loop. */
  turnToStart(): Promise<void>;
  /** Slots for concurrent attempts beyond the first of each queue. */
  readonly spareSlots: { take(): boolean; release(): void };
  /** Aborted when the service shuts down. */
  readonly aborting: AbortSignal;
  isClosed(): boolean;
}

/**
 * Sends the deliveries of one receiver. A queue starts with one attempt at a time and allows one more
 * after each success, up to `WINDOW_MAX`: a receiver that hangs blocks a single attempt. A failure
 * sets it back to one. When the receiver counts as down, the queue ends; the dispatcher opens a new
 * one for each probe.
 */
export class DeliveryQueue<R extends Receiver, D extends DueDelivery, T> {
  readonly #receiverId: number;
  readonly #context: QueueContext<R, D, T>;
  #target: T | undefined;
  #claimed: ClaimedDelivery<D>[] = [];
  /** Ids that wait here or are being sent. They may be claimed twice if the clock is set ahead. */
  readonly #held = new Set<number>();
  #inFlight = 0;
  #window = 1;
  #failures = 0;
  #mayHaveMore = true;
  #hasEnded = false;
  #claiming: Promise<void> | undefined;
  #recorded: Promise<void> | undefined;
  #changed = Promise.withResolvers<void>();

  constructor(receiverId: number, context: QueueContext<R, D, T>) {
    this.#receiverId = receiverId;
    this.#context = context;
  }

  /** Signals that deliveries are due. */
  wake(): void {
    this.#mayHaveMore = true;
    this.#changed.resolve();
  }

  /** Resolves when no delivery is due or in flight, or the receiver is down. */
  async run(): Promise<void> {
    for (;;) {
      this.#changed = Promise.withResolvers();
      if (this.#isEnding()) await this.#releaseClaimed();
      else this.#claimIfLow();
      this.#startAttempts();
      if (this.#inFlight === 0 && this.#claimed.length === 0 && !this.#claiming) break;
      await Promise.race([this.#claiming ?? this.#changed.promise, this.#changed.promise]);
    }
    // The results must be committed before the next query for due deliveries.
    await this.#recorded;
  }

  #isEnding(): boolean {
    return this.#hasEnded || this.#context.isClosed();
  }

  #startAttempts(): void {
    while (this.#claimed.length > 0 && this.#inFlight < this.#window && !this.#isEnding()) {
      const claimed = this.#claimed[0]!;
      if (this.#inFlight > 0 && !this.#context.spareSlots.take()) return;
      this.#claimed.shift();
      // Another instance may soon claim a delivery that waited too long, so it is not sent here.
      if (claimed.leaseEndsMs - this.#context.site.monotonic() < LEASE_REST_MS) {
        this.#held.delete(claimed.delivery.id);
        if (this.#inFlight > 0) this.#context.spareSlots.release();
        continue;
      }
      this.#inFlight += 1;
      void this.#attempt(claimed);
    }
  }

  async #attempt(claimed: ClaimedDelivery<D>): Promise<void> {
    const { delivery } = claimed;
    const { site, use, aborting, recorder, spareSlots } = this.#context;
    await this.#context.turnToStart();
    const request = use.requestOf(site, this.#target!, delivery);
    const result = await exchange(site, use.client, request, aborting);
    if (this.#inFlight > 1) spareSlots.release();
    this.#inFlight -= 1;
    if (result.error !== '' && aborting.aborted) {
      // Aborted by the shutdown, so it does not count as an attempt.
      this.#claimed.push(claimed);
    } else {
      this.#adapt(result);
      this.#recorded = recorder.record(delivery, result);
      void this.#recorded.finally(() => this.#held.delete(delivery.id));
    }
    this.#changed.resolve();
  }

  #adapt({ error, code, retryAfterMs }: DeliveryResult): void {
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
    if (this.#claimed.length >= this.#window * LOW_PER_SLOT) return;
    if (this.#window === 1 && this.#inFlight + this.#claimed.length > 0) return;
    const claim = () => this.#claimMore();
    this.#claiming = this.#context
      .serializeClaim(claim)
      .finally(() => (this.#claiming = undefined));
  }

  async #claimMore(): Promise<void> {
    const { site, use, statements, receivers } = this.#context;
    const now = site.clock();
    const until = now + LEASE_MS;
    const leaseEndsMs = site.monotonic() + LEASE_MS;
    // Before the first success one is claimed at a time, so that none waits behind a hanging receiver.
    const limit = this.#window === 1 ? 1 : this.#window * CLAIMED_PER_SLOT;
    const claimed = await site.database.transaction(async (tx) => {
      await lockReceiver(tx, use, this.#receiverId);
      const receiver = await receivers.find(tx, this.#receiverId);
      if (!receiver || receiver.status !== 'active' || receiver.paused_until > now) return [];
      const isProbe = isDown(receiver.failures);
      const lease = { now, until, limit: isProbe ? 1 : limit };
      const deliveries = await statements.claim(tx, receiver.id, lease);
      // Prevents other instances from probing in the meantime.
      if (isProbe && deliveries.length > 0)
        await receivers.save(tx, [{ ...receiver, paused_until: until }]);
      if (this.#target === undefined) this.#failures = receiver.failures;
      this.#target = use.targetOf(site, receiver);
      return deliveries;
    }, BACKGROUND);
    this.#mayHaveMore = claimed.length === limit;
    for (const delivery of claimed) {
      if (this.#held.has(delivery.id)) continue;
      this.#held.add(delivery.id);
      this.#claimed.push({ delivery, leasedUntil: until, leaseEndsMs });
    }
  }

  async #releaseClaimed(): Promise<void> {
    const claimed = this.#claimed;
    this.#claimed = [];
    for (const { delivery } of claimed) this.#held.delete(delivery.id);
    if (claimed.length > 0) await this.#release(claimed);
  }

  async #release(claimed: ClaimedDelivery<D>[]): Promise<void> {
    const { site, statements } = this.#context;
    const now = site.clock();
    await site.database.transaction(async (tx) => {
      for (const [until, all] of Map.groupBy(claimed, ({ leasedUntil }) => leasedUntil)) {
        const ids = all.map(({ delivery }) => delivery.id);
        await statements.release(tx, ids, { now, until });
      }
    }, BACKGROUND);
  }
}
