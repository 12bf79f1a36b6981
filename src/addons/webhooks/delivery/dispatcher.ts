import { limitedLogOf } from '../../../kernel/declare/limited-log.ts';
import { perSite, type Site } from '../../../kernel/declare/site.ts';
import { causeOf } from '../../../shared/limited-log.ts';
import { listReadyWebhooks } from './delivery-store.ts';
import { Lane, type Road } from './webhook-queue.ts';
import { Recorder } from './recorder.ts';

/**
 * Attempts at the same time beyond the first of each webhook. The first is always free, so that no
 * webhook waits for another, however many of them hang.
 */
const SPARE_SLOTS = 128;
/** How long a webhook rests when something went wrong on our side. */
const REST_MS = 5_000;
/** How long a stop waits for attempts that are being made. */
const STOP_MS_MAX = 3_000;

/** Sends what is due, each webhook in a lane of its own. */
class Dispatcher {
  readonly #site: Site;
  readonly #lanes = new Map<number, { lane: Lane; running: Promise<void> }>();
  readonly #resting = new Set<number>();
  readonly #road: Road;
  readonly #ending = new AbortController();
  #spareSlots = SPARE_SLOTS;
  #lastClaim: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  constructor(site: Site) {
    this.#site = site;
    this.#road = {
      site,
      recorder: new Recorder(site),
      inTurn: (claim) => {
        const claiming = this.#lastClaim.then(claim);
        this.#lastClaim = claiming.catch(() => {});
        return claiming;
      },
      ending: this.#ending.signal,
      isClosed: () => this.#isClosed,
      spareSlots: {
        take: () => this.#spareSlots > 0 && this.#spareSlots-- > 0,
        giveBack: () => void (this.#spareSlots += 1),
      },
    };
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Begins to send what is due and returns: lanes go on by themselves. */
  async sendDue(): Promise<void> {
    const ids = await listReadyWebhooks(this.#site.database.read, this.#site.clock());
    for (const id of ids) {
      const known = this.#lanes.get(id);
      if (known) known.lane.wake();
      else if (!this.#resting.has(id)) this.#open(id);
    }
  }

  /** Resolves when nothing is on its way any more. */
  async finish(): Promise<void> {
    await Promise.all([...this.#lanes.values()].map(({ running }) => running));
  }

  close({ waitMs = STOP_MS_MAX } = {}): void {
    this.#isClosed = true;
    for (const { lane } of this.#lanes.values()) lane.wake();
    setTimeout(() => this.#ending.abort(), waitMs).unref();
  }

  #open(id: number): void {
    const lane = new Lane(id, this.#road);
    const running = lane
      .run()
      .catch((error: unknown) => {
        // What was taken comes back when its lease is over.
        limitedLogOf(this.#site).error(
          `webhook deliveries ${causeOf(error)}`,
          { err: error, webhook: id },
          'webhook deliveries were interrupted',
        );
        this.#resting.add(id);
        setTimeout(() => this.#resting.delete(id), REST_MS).unref();
      })
      .finally(() => this.#lanes.delete(id));
    this.#lanes.set(id, { lane, running });
  }
}

export const dispatcherOf = perSite((site) => new Dispatcher(site));
