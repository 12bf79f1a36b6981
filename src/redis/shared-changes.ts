import { randomUUID } from 'node:crypto';
import type { RedisLink } from './link.ts';

const CHANNEL = 'changes';

/**
 * Notifies other instances that their caches may be outdated, in addition to the notifications of the
 * database: either channel may fail while the other works.
 */
export class SharedChanges {
  readonly #link: RedisLink;
  readonly #sender = randomUUID();
  #action = () => {};
  #isUnpublished = false;
  #publishing: Promise<void> | undefined;

  constructor(link: RedisLink) {
    this.#link = link;
    link.onMessage(CHANNEL, (sender) => {
      if (sender !== this.#sender) this.#action();
    });
    link.onUp(() => {
      this.#action();
      if (this.#isUnpublished) this.publish();
    });
  }

  /** Runs the action after a notification, and after every reconnection. */
  onChange(action: () => void): void {
    this.#action = action;
    // A notification may have arrived before this listener was added.
    if (this.#link.isUp) action();
  }

  /** Call this after the commit. If Redis is down, the message is published when it is back. */
  publish(): void {
    this.#isUnpublished = true;
    this.#publishing ??= this.#publishAll();
  }

  /** Resolves when all messages have been published or have failed. */
  async settled(): Promise<void> {
    await this.#publishing;
  }

  /** Changes that arrive while a message is being published share the next one. */
  async #publishAll(): Promise<void> {
    // A command connects to Redis only now, when it has something to publish.
    await this.#link.start();
    while (this.#isUnpublished && this.#link.isUp) await this.#publish();
    this.#publishing = undefined;
  }

  async #publish(): Promise<void> {
    this.#isUnpublished = false;
    try {
      await this.#link.run((client) => client.publish(this.#link.key(CHANNEL), this.#sender));
    } catch {
      this.#isUnpublished = true;
    }
  }
}
