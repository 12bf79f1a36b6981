export interface FairQueueLimits {
  /** How many jobs run concurrently, for all callers and for one network. */
  readonly running: number;
  readonly runningPerNetwork: number;
  /** How many jobs may wait. */
  readonly waiting: number;
  readonly waitingPerNetwork: number;
}

/** The caller for which the work runs. */
export interface QueuedCaller {
  /** The result of `networkOf`; empty for the service itself, which no network limit applies to. */
  readonly network: string;
  /** Called right before the work starts. Throws if the caller has disconnected. */
  requireStillThere(): void;
}

/** The queue is full: `network` when the caller's own network has too many jobs waiting, else `all`. */
export class QueueFullError extends Error {
  override name = 'QueueFullError';
  readonly scope: 'network' | 'all';

  constructor(scope: 'network' | 'all') {
    super('The queue is full.');
    this.scope = scope;
  }
}

interface Job {
  readonly caller: QueuedCaller;
  readonly work: () => Promise<unknown>;
  readonly resolve: (value: unknown) => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * Runs costly work for many callers, round robin over their networks, so that one network that sends a thousand
 * requests delays itself and not the others. When the queue is full, the network with the most waiting jobs
 * loses its last one to a network with fewer.
 */
export class FairQueue {
  readonly #limits: FairQueueLimits;
  /** The network that runs next is first. */
  readonly #waiting = new Map<string, Job[]>();
  readonly #running = new Map<string, number>();
  #waitingCount = 0;
  #runningCount = 0;
  #startedCount = 0;

  constructor(limits: FairQueueLimits) {
    this.#limits = limits;
  }

  get waitingCount(): number {
    return this.#waitingCount;
  }

  /** How many jobs were started. */
  get startedCount(): number {
    return this.#startedCount;
  }

  run<T>(caller: QueuedCaller, work: () => Promise<T>): Promise<T> {
    // The queue holds work of all types; each call gets the result of its own work.
    return new Promise<unknown>((resolve, reject) => {
      this.#makeRoomFor(caller.network);
      const job = { caller, work, resolve, reject };
      const own = this.#waiting.get(caller.network);
      if (own) own.push(job);
      else this.#waiting.set(caller.network, [job]);
      this.#waitingCount += 1;
      this.#startNext();
    }) as Promise<T>;
  }

  #makeRoomFor(network: string): void {
    if (network === '') return;
    const own = this.#waiting.get(network)?.length ?? 0;
    if (own >= this.#limits.waitingPerNetwork) throw new QueueFullError('network');
    if (this.#waitingCount < this.#limits.waiting) return;
    const longest = [...this.#waiting]
      .filter(([name]) => name !== '')
      .reduce<Job[]>((most, [, jobs]) => (jobs.length > most.length ? jobs : most), []);
    if (longest.length <= own + 1) throw new QueueFullError('all');
    this.#waitingCount -= 1;
    longest.pop()!.reject(new QueueFullError('network'));
  }

  #startNext(): void {
    while (this.#runningCount < this.#limits.running) {
      const job = this.#takeNext();
      if (!job) return;
      try {
        job.caller.requireStillThere();
      } catch (reason) {
        job.reject(reason);
        continue;
      }
      void this.#start(job);
    }
  }

  #takeNext(): Job | undefined {
    for (const [network, jobs] of this.#waiting) {
      const running = this.#running.get(network) ?? 0;
      if (network !== '' && running >= this.#limits.runningPerNetwork) continue;
      this.#waitingCount -= 1;
      this.#waiting.delete(network);
      const job = jobs.shift();
      if (jobs.length > 0) this.#waiting.set(network, jobs);
      return job;
    }
    return undefined;
  }

  async #start({ caller: { network }, work, resolve, reject }: Job): Promise<void> {
    this.#startedCount += 1;
    this.#runningCount += 1;
    this.#running.set(network, (this.#running.get(network) ?? 0) + 1);
    await work().then(resolve, reject);
    // The effects of this result, such as a lock-out, apply before the next job starts.
    setImmediate(() => {
      this.#runningCount -= 1;
      const left = this.#running.get(network)! - 1;
      if (left > 0) this.#running.set(network, left);
      else this.#running.delete(network);
      this.#startNext();
    });
  }
}
