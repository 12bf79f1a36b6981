import { setImmediate as nextTurn } from 'node:timers/promises';

/** Long enough to cost nothing, and short enough that no other request notices. */
const TURN_MS = 10;

/** Shares the event loop: long work asks between its steps whether it has used its turn, and waits for the next one. */
export class TurnBudget {
  #endsMs = performance.now() + TURN_MS;

  get isUsed(): boolean {
    return performance.now() > this.#endsMs;
  }

  async next(): Promise<void> {
    await nextTurn();
    this.#endsMs = performance.now() + TURN_MS;
  }
}
