import assert from 'node:assert/strict';
import https from 'node:https';
import { setTimeout } from 'node:timers/promises';
import type { Server } from './running-server.ts';

/**
 * A client that creates one key after the other on its own connection until it is stopped. With a pause between two it
 * leaves the processor to what the test waits for.
 */
export class KeyMaker {
  readonly made: { id: number; token: string }[] = [];
  inFlight = false;
  readonly #agent = new https.Agent({ keepAlive: true, maxSockets: 1 });
  /** Resolves after the last response; rejects if one is missing. */
  readonly ended: Promise<void>;
  #stopped = false;

  constructor(server: Server, key: string, pauseMs = 0) {
    this.ended = this.#work(server, key, pauseMs).finally(() => this.#agent.destroy());
  }

  stop(): Promise<void> {
    this.#stopped = true;
    return this.ended;
  }

  async #work(server: Server, key: string, pauseMs: number): Promise<void> {
    while (!this.#stopped) {
      this.inFlight = true;
      const reply = await server.call('/keys', {
        method: 'POST',
        key,
        json: {},
        agent: this.#agent,
      });
      this.inFlight = false;
      assert.equal(reply.status, 201, reply.text);
      this.made.push({ id: reply.body.id, token: reply.body.token });
      if (pauseMs > 0) await setTimeout(pauseMs);
    }
  }
}
