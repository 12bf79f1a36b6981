import { randomUUID } from 'node:crypto';
import type { RedisLink } from './link.ts';

const CHANNEL = 'changes';

/**
 * Tells other instances that what they keep in memory may be out of date, beside the way that the
 * database has for it: either may be lost while the other works.
 */
export class SharedChanges {
  readonly #link: RedisLink;
  readonly #sender = randomUUID();
  #action = () => {};
  #owed = false;
  #telling: Promise<void> | undefined;

  constructor(link: RedisLink) {
    this.#link = link;
    link.onMessage(CHANNEL, (sender) => {
      if (sender !== this.#sender) this.#action();
    });
    link.onUp(() => {
      this.#action();
      if (this.#owed) this.tell();
    });
  }

  /** What others tell is acted on; so is that nothing was heard for a while. */
  onChange(action: () => void): void {
    this.#action = action;
    // What was told before somebody acted on it.
    if (this.#link.isUp) action();
  }

  /** After the commit. What cannot be told now is told when Redis is there again. */
  tell(): void {
    this.#owed = true;
    this.#telling ??= this.#tellAll();
  }

  /** Resolves when what is to be told was told, or could not be. */
  async told(): Promise<void> {
    await this.#telling;
  }

  /** Changes that come while it is told of others are told of together. */
  async #tellAll(): Promise<void> {
    // A command that changes something and ends looks for Redis only now.
    await this.#link.start();
    while (this.#owed && this.#link.isUp) await this.#publish();
    this.#telling = undefined;
  }

  async #publish(): Promise<void> {
    this.#owed = false;
    try {
      await this.#link.run((client) => client.publish(this.#link.key(CHANNEL), this.#sender));
    } catch {
      this.#owed = true;
    }
  }
}
