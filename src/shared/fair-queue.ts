export interface FairQueueLimits {
  /** How many pieces of work run at once, for all callers and for one network. */
  readonly running: number;
  readonly runningPerNetwork: number;
  /** How many wait for their turn. */
  readonly waiting: number;
  readonly waitingPerNetwork: number;
}

/** On whose behalf work is done. */
export interface QueuedCaller {
  /** As `networkOf` gives it; empty for the service itself, to which no limit of networks applies. */
  readonly network: string;
  /** Throws when the work is no longer wanted; asked when its turn has come. */
  requireStillThere(): void;
}

/** There was no room: `network` when the caller's own network has too much waiting, else `all`. */
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
 * Costly work for many callers. Networks take turns, so that one that sends a thousand requests waits
 * for itself and not the others for it. When everything is taken, the network with the most waiting
 * gives up its last place to a network with less.
 */
export class FairQueue {
  readonly #limits: FairQueueLimits;
  /** The network whose turn is next comes first. */
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

  /** How many pieces of work were begun. */
  get startedCount(): number {
    return this.#startedCount;
  }

  run<T>(caller: QueuedCaller, work: () => Promise<T>): Promise<T> {
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
    // What this result leads to, such as a lock-out, is known before the next is looked at.
    setImmediate(() => {
      this.#runningCount -= 1;
      const left = this.#running.get(network)! - 1;
      if (left > 0) this.#running.set(network, left);
      else this.#running.delete(network);
      this.#startNext();
    });
  }
}
