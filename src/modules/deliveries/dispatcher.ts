import { setImmediate as nextTurn } from 'node:timers/promises';
import { limitedLogOf } from '../../kernel/declare/limited-log.ts';
import { perSite, type Site } from '../../kernel/declare/site.ts';
import { Coalescer } from '../../shared/coalesce.ts';
import { causeOf } from '../../shared/limited-log.ts';
import type { Receiver } from './delivery-columns.ts';
import { DeliveryQueue, type QueueContext } from './delivery-queue.ts';
import { deliveryStatements } from './delivery-statements.ts';
import type { DeliveryUse, DueDelivery } from './delivery-use.ts';
import { receiverStatements } from './receiver-statements.ts';
import { Recorder } from './recorder.ts';

/**
 * Concurrent attempts beyond the first of each receiver. The first needs no slot, so that no receiver
 * waits for another, however many receivers hang.
 */
const SPARE_SLOTS = 128;
/** Attempts started in one turn of the event loop, so that other requests do not wait for hundreds of them. */
const STARTS_A_TURN = 8;
/** Attempts wait for the requests that are being answered, but no longer than this, so that many requests cannot stop them. */
const REQUESTS_FIRST_MS = 5;
/** How long a queue stays closed after an error on our side, such as a failed database. */
const PAUSE_MS = 5_000;
/** How long a shutdown waits for attempts in flight. */
const STOP_MS_MAX = 3_000;

/** Sends the due deliveries of one use, through one queue per receiver. */
export interface DeliveryDispatcher {
  readonly isClosed: boolean;
  /** Starts sending due deliveries and returns; the queues continue in the background. */
  sendDue(): Promise<void>;
  /** Resolves when all queues are empty. */
  finish(): Promise<void>;
  close(options?: { waitMs?: number }): void;
}

class Dispatcher<R extends Receiver, D extends DueDelivery, T> implements DeliveryDispatcher {
  readonly #site: Site;
  readonly #queues = new Map<number, { queue: DeliveryQueue<R, D, T>; running: Promise<void> }>();
  readonly #paused = new Set<number>();
  readonly #context: QueueContext<R, D, T>;
  readonly #aborting = new AbortController();
  readonly #starts = new Coalescer<undefined, void>({
    max: STARTS_A_TURN,
    gather: async () => {
      await nextTurn();
      await this.#site.database.requests.ended(REQUESTS_FIRST_MS);
    },
    run: async (batch) => batch.forEach(({ resolve }) => resolve()),
  });
  #spareSlots = SPARE_SLOTS;
  #lastClaim: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  constructor(site: Site, use: DeliveryUse<R, D, T>) {
    this.#site = site;
    const statements = deliveryStatements(use.tables, use.due);
    const receivers = receiverStatements<R>(use.tables);
    const shared = { site, use, statements, receivers };
    this.#context = {
      ...shared,
      recorder: new Recorder(shared),
      serializeClaim: (claim) => {
        const claiming = this.#lastClaim.then(claim);
        this.#lastClaim = claiming.catch(() => {});
        return claiming;
      },
      turnToStart: () => this.#starts.add(undefined),
      aborting: this.#aborting.signal,
      isClosed: () => this.#isClosed,
      spareSlots: {
        take: () => this.#spareSlots > 0 && this.#spareSlots-- > 0,
        release: () => void (this.#spareSlots += 1),
      },
    };
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  async sendDue(): Promise<void> {
    const ids = await this.#context.statements.listReady(
      this.#site.database.read,
      this.#site.clock(),
    );
    for (const id of ids) {
      const known = this.#queues.get(id);
      if (known) known.queue.wake();
      else if (!this.#paused.has(id)) this.#open(id);
    }
  }

  async finish(): Promise<void> {
    await Promise.all([...this.#queues.values()].map(({ running }) => running));
  }

  close({ waitMs = STOP_MS_MAX } = {}): void {
    this.#isClosed = true;
    for (const { queue } of this.#queues.values()) queue.wake();
    setTimeout(() => this.#aborting.abort(), waitMs).unref();
  }

  #open(id: number): void {
    const { name, log } = this.#context.use;
    const queue = new DeliveryQueue(id, this.#context);
    const running = queue
      .run()
      .catch((error: unknown) => {
        // Claimed deliveries become due again when their leases end.
        const key = `${name} deliveries ${causeOf(error)}`;
        log.interrupted(limitedLogOf(this.#site), key, { err: error, [name]: id });
        this.#paused.add(id);
        setTimeout(() => this.#paused.delete(id), PAUSE_MS).unref();
      })
      .finally(() => this.#queues.delete(id));
    this.#queues.set(id, { queue, running });
  }
}

/** The dispatcher of a use, for each site. */
export function dispatchers<R extends Receiver, D extends DueDelivery, T>(
  use: DeliveryUse<R, D, T>,
): (site: Site) => DeliveryDispatcher {
  return perSite((site) => new Dispatcher(site, use));
}
