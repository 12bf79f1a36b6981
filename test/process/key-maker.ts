import assert from 'node:assert/strict';
import https from 'node:https';
import type { Server } from './running-server.ts';

/** A client that creates one key after the other on its own connection until it is stopped. */
export class KeyMaker {
  readonly made: { id: number; token: string }[] = [];
  inFlight = false;
  readonly #agent = new https.Agent({ keepAlive: true, maxSockets: 1 });
  /** Resolves after the last response; rejects if one is missing. */
  readonly ended: Promise<void>;
  #stopped = false;

  constructor(server: Server, key: string) {
    this.ended = this.#work(server, key).finally(() => this.#agent.destroy());
  }

  stop(): Promise<void> {
    this.#stopped = true;
    return this.ended;
  }

  async #work(server: Server, key: string): Promise<void> {
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
    }
  }
}
