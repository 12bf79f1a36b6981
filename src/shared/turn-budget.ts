import { setImmediate as nextTurn } from 'node:timers/promises';

/** Long enough to cost nothing, and short enough that no other request notices. */
const TURN_MS = 10;

/** Does long work in pieces, from one position to another. Others have their turns between them. */
export async function inPieces(
  length: number,
  pieceLength: number,
  step: (from: number, to: number) => void,
): Promise<void> {
  const turn = new TurnBudget();
  for (let from = 0; from < length; from += pieceLength) {
    if (turn.isUsed) await turn.next();
    step(from, Math.min(length, from + pieceLength));
  }
}

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
