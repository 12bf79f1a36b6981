import { randomUUID } from 'node:crypto';
import { lockOutRules, type Lock, type LockOut } from '../kernel/call/lock-out.ts';
import type { Log } from '../kernel/declare/log.ts';
import type { RedisLink } from './link.ts';
import { ADOPT, FAIL, LOCKED } from './lock-out-scripts.ts';

const CHANNEL = 'locked';

interface LockMessage extends Lock {
  by: string;
}

/**
 * Adds up the failures of one address at all instances. Each instance also counts locally and refuses
 * without a call; Redis notifies all instances when the limit is reached.
 */
export class SharedLockOut {
  readonly #link: RedisLink;
  readonly #lockOut: LockOut;
  readonly #log: Log;
  readonly #monotonic: () => number;
  readonly #sender = randomUUID();
  #failures = 0;

  constructor(link: RedisLink, lockOut: LockOut, log: Log, monotonic: () => number) {
    this.#link = link;
    this.#lockOut = lockOut;
    this.#log = log;
    this.#monotonic = monotonic;
    lockOut.onFailure((network, waitMs) => void this.#share(network, waitMs));
    // Only instances of this installation publish here, with the scripts of lock-out-scripts.ts.
    link.onMessage(CHANNEL, (text) => this.#receive(JSON.parse(text) as LockMessage));
    link.onUp(() => this.#catchUp());
  }

  async #share(network: string, waitMs: number): Promise<void> {
    if (!this.#link.isUp) return this.#link.noteFallback();
    const sentMs = this.#monotonic();
    try {
      const [wait, following, isNew] = await this.#fail(network, waitMs);
      if (wait > 0) this.#lockOut.lock({ network, wait, following }, sentMs);
      // A lock that this instance decided is already logged.
      if (isNew === 1 && waitMs === 0) {
        this.#log.warn({ address: network }, 'locked out after repeated failures at all instances');
      }
    } catch {
      this.#link.noteFallback();
    }
  }

  async #fail(
    network: string,
    waitMs: number,
  ): Promise<[wait: number, following: number, isNew: number]> {
    const { failuresMax, windowMs, firstWaitMs, waitMaxMs, forgetAfterMs } = lockOutRules;
    this.#failures += 1;
    const answer = await this.#run(
      FAIL,
      [`failures:${network}`, `wait:${network}`, 'locked'],
      [
        this.#link.key(CHANNEL),
        this.#sender,
        network,
        `${this.#sender} ${this.#failures}`,
        waitMs,
        failuresMax,
        windowMs,
        firstWaitMs,
        waitMaxMs,
        forgetAfterMs,
      ],
    );
    // The script returns three numbers.
    return answer as [number, number, number];
  }

  /** Exchanges the locks that were decided while Redis was down. */
  async #catchUp(): Promise<void> {
    const mine = this.#lockOut.locked();
    try {
      // The script returns networks and waits alternately.
      const found = (await this.#run(LOCKED, ['locked'], [lockOutRules.waitMaxMs])) as (
        | string
        | number
      )[];
      const known = new Set<string>();
      for (let i = 0; i < found.length; i += 2) {
        const network = String(found[i]);
        known.add(network);
        this.#receive({ by: '', network, wait: Number(found[i + 1]), following: 0 });
      }
      for (const lock of mine) if (!known.has(lock.network)) await this.#adopt(lock);
    } catch {
      // Redis is down again, which the link has logged; the next connection retries.
    }
  }

  async #adopt({ network, wait, following }: Lock): Promise<void> {
    const { waitMaxMs, forgetAfterMs } = lockOutRules;
    await this.#run(
      ADOPT,
      [`wait:${network}`, 'locked'],
      [this.#link.key(CHANNEL), this.#sender, network, wait, following, waitMaxMs, forgetAfterMs],
    );
  }

  #run(script: string, keys: string[], values: (string | number)[]): Promise<unknown> {
    return this.#link.run((client) =>
      client.eval(script, {
        keys: keys.map((name) => this.#link.key(name)),
        arguments: values.map(String),
      }),
    );
  }

  /** Ignores messages of this instance. */
  #receive({ by, ...lock }: LockMessage): void {
    if (by !== this.#sender) this.#lockOut.lock(lock);
  }
}
