/** One call that waits for its result. */
export interface PendingCall<T, R> {
  readonly item: T;
  resolve(result: R): void;
  reject(error: unknown): void;
}

export interface CoalesceOptions<T, R> {
  /** Settles each call of the batch. When it throws, calls that are not settled yet are rejected. */
  run(batch: readonly PendingCall<T, R>[]): Promise<void>;
  /** The largest number of calls in one batch. */
  readonly max?: number;
  /**
   * Runs before each batch is formed, and lets more calls arrive: a tick, a delay, a lock. When it resolves
   * to false, no batch runs; when it throws, all calls that wait are rejected.
   */
  gather?(): Promise<unknown>;
  /** Whether a batch starts without waiting for the one before. */
  readonly overlap?: boolean;
}

/**
 * Runs calls in batches, for work whose cost is per batch: a round trip, a commit. Without `gather` the
 * first call starts immediately and alone, and the calls that arrive while it runs form the next batch.
 */
export class Coalescer<T, R> {
  readonly #options: CoalesceOptions<T, R>;
  readonly #max: number;
  readonly #waiting: PendingCall<T, R>[] = [];
  #isDraining = false;
  #drained: Promise<void> = Promise.resolve();

  constructor(options: CoalesceOptions<T, R>) {
    this.#options = options;
    this.#max = options.max ?? Infinity;
  }

  add(item: T): Promise<R> {
    return new Promise<R>((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
      if (!this.#isDraining) this.#drained = this.#drain();
    });
  }

  /** Calls that are in no batch yet. */
  get waiting(): readonly PendingCall<T, R>[] {
    return this.#waiting;
  }

  /** Rejects waiting calls that meet a condition, each with its own error. */
  rejectWaiting(errorOf: () => unknown, condition: (item: T) => boolean = () => true): void {
    const all = this.#waiting.splice(0);
    for (const pending of all) {
      if (condition(pending.item)) pending.reject(errorOf());
      else this.#waiting.push(pending);
    }
  }

  /** Resolves when no call waits and no batch runs; with `overlap`, when no call waits. */
  async idle(): Promise<void> {
    while (this.#isDraining) await this.#drained;
  }

  async #drain(): Promise<void> {
    const { overlap } = this.#options;
    this.#isDraining = true;
    while (this.#waiting.length > 0) {
      if (this.#options.gather && !(await this.#gather())) continue;
      if (overlap) while (this.#waiting.length > 0) void this.#runNext();
      else if (this.#waiting.length > 0) await this.#runNext();
    }
    this.#isDraining = false;
  }

  async #gather(): Promise<boolean> {
    try {
      return (await this.#options.gather!()) !== false;
    } catch (error) {
      this.rejectWaiting(() => error);
      return false;
    }
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
