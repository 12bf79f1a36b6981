/** One call that waits for its result. */
export interface Pending<T, R> {
  readonly item: T;
  resolve(result: R): void;
  reject(error: unknown): void;
}

export interface CoalesceOptions<T, R> {
  /** Settles each call of the batch. When it throws, calls that are not settled yet are rejected. */
  run(batch: readonly Pending<T, R>[]): Promise<void>;
  /** The most calls in one batch. */
  readonly max?: number;
  /** Runs before each batch is formed, and lets more calls arrive: a tick, a delay, a lock. */
  gather?(): Promise<unknown>;
  /** Batches start without waiting for the one before. */
  readonly overlap?: boolean;
}

/**
 * Runs calls in batches, for work whose cost is per batch: a round trip, a commit. Without `gather` the
 * first call starts at once and alone, and the calls that arrive while it runs form the next batch.
 */
export class Coalescer<T, R> {
  readonly #options: CoalesceOptions<T, R>;
  readonly #max: number;
  #waiting: Pending<T, R>[] = [];
  #draining: Promise<void> | undefined;

  constructor(options: CoalesceOptions<T, R>) {
    this.#options = options;
    this.#max = options.max ?? Infinity;
  }

  add(item: T): Promise<R> {
    return new Promise<R>((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
      this.#draining ??= this.#drain();
    });
  }

  /** Calls that are in no batch yet. */
  get waiting(): readonly Pending<T, R>[] {
    return this.#waiting;
  }

  /** Rejects waiting calls that meet a condition. */
  rejectWaiting(error: unknown, condition: (item: T) => boolean = () => true): void {
    const rejected = this.#waiting.filter(({ item }) => condition(item));
    if (rejected.length === 0) return;
    this.#waiting = this.#waiting.filter(({ item }) => !condition(item));
    for (const { reject } of rejected) reject(error);
  }

  /** Resolves when no call waits and no batch runs; with `overlap`, when no call waits. */
  async idle(): Promise<void> {
    while (this.#draining) await this.#draining;
  }

  async #drain(): Promise<void> {
    const { gather, overlap } = this.#options;
    while (this.#waiting.length > 0) {
      if (gather) await gather().catch((error: unknown) => this.rejectWaiting(error));
      if (overlap) while (this.#waiting.length > 0) void this.#runNext();
      else if (this.#waiting.length > 0) await this.#runNext();
    }
    this.#draining = undefined;
  }

  async #runNext(): Promise<void> {
    const batch = this.#waiting.splice(0, this.#max);
    try {
      await this.#options.run(batch);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }
}
