export interface FairQueueLimits {
  /** How many jobs run concurrently, for all callers and for one. */
  readonly running: number;
  readonly runningPerCaller: number;
  /** How many jobs may wait. */
  readonly waiting: number;
  readonly waitingPerCaller: number;
}

/** The caller for which the work runs. */
export interface QueuedCaller {
  /** Callers with the same name count as one. Empty for the service itself, which no limit of a caller applies to. */
  readonly name: string;
  /** Called right before the work starts, and when the queue is full. Throws if the caller has disconnected. */
  requireStillThere(): void;
}

/** The queue is full: `caller` when the caller itself has too many jobs waiting, else `all`. */
export class QueueFullError extends Error {
  override name = 'QueueFullError';
  readonly scope: 'caller' | 'all';

  constructor(scope: 'caller' | 'all') {
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
 * Runs costly work for many callers, round robin, so that one that sends a thousand requests delays itself and not the
 * others. When the queue is full, the caller with the most waiting jobs loses its last one to a caller with fewer.
 */
export class FairQueue {
  readonly #limits: FairQueueLimits;
  /** The caller that is next is first. */
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

  get runningCount(): number {
    return this.#runningCount;
  }

  /** How many jobs were started. */
  get startedCount(): number {
    return this.#startedCount;
  }

  run<T>(caller: QueuedCaller, work: () => Promise<T>): Promise<T> {
    // The queue holds work of all types; each call gets the result of its own work.
    return new Promise<unknown>((resolve, reject) => {
      this.#makeRoomFor(caller.name);
      const job = { caller, work, resolve, reject };
      const own = this.#waiting.get(caller.name);
      if (own) own.push(job);
      else this.#waiting.set(caller.name, [job]);
      this.#waitingCount += 1;
      this.#startNext();
    }) as Promise<T>;
  }

  #makeRoomFor(name: string): void {
    if (name === '') return;
    const { waiting, waitingPerCaller } = this.#limits;
    const countOwn = () => this.#waiting.get(name)?.length ?? 0;
    if (countOwn() >= waitingPerCaller) this.#dropGone(name);
    if (countOwn() >= waitingPerCaller) throw new QueueFullError('caller');
    if (this.#waitingCount >= waiting)
      [...this.#waiting.keys()].forEach((each) => this.#dropGone(each));
    if (this.#waitingCount < waiting) return;
    const longest = [...this.#waiting]
      .filter(([each]) => each !== '')
      .reduce<Job[]>((most, [, jobs]) => (jobs.length > most.length ? jobs : most), []);
    if (longest.length <= countOwn() + 1) throw new QueueFullError('all');
    this.#waitingCount -= 1;
    longest.pop()!.reject(new QueueFullError('caller'));
  }

  /** A job whose caller has disconnected keeps no place from others. */
  #dropGone(name: string): void {
    const jobs = this.#waiting.get(name)!;
    const there = jobs.filter(isStillThere);
    this.#waitingCount -= jobs.length - there.length;
    if (there.length > 0) this.#waiting.set(name, there);
    else this.#waiting.delete(name);
  }

  #startNext(): void {
    while (this.#runningCount < this.#limits.running) {
      const job = this.#takeNext();
      if (!job) return;
      if (isStillThere(job)) void this.#start(job);
    }
  }

  #takeNext(): Job | undefined {
    for (const [name, jobs] of this.#waiting) {
      const running = this.#running.get(name) ?? 0;
      if (name !== '' && running >= this.#limits.runningPerCaller) continue;
      this.#waitingCount -= 1;
      this.#waiting.delete(name);
      const job = jobs.shift();
      if (jobs.length > 0) this.#waiting.set(name, jobs);
      return job;
    }
    return undefined;
  }

  async #start({ caller: { name }, work, resolve, reject }: Job): Promise<void> {
    this.#startedCount += 1;
    this.#runningCount += 1;
    this.#running.set(name, (this.#running.get(name) ?? 0) + 1);
    await work().then(resolve, reject);
    // The effects of this result, such as a lock-out, apply before the next job starts.
    setImmediate(() => {
      this.#runningCount -= 1;
      const left = this.#running.get(name)! - 1;
      if (left > 0) this.#running.set(name, left);
      else this.#running.delete(name);
      this.#startNext();
    });
  }
}

/** Otherwise the job ends with the reason. */
function isStillThere({ caller, reject }: Job): boolean {
  try {
    caller.requireStillThere();
    return true;
  } catch (reason) {
    reject(reason);
    return false;
  }
}
