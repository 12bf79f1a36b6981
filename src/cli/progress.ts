const WIDTH = 30;
const EVERY_MS = 100;

/** A progress bar, shown only if standard error is a terminal. */
export class Progress {
  readonly #shown: boolean;
  #lastMs = 0;

  constructor(shown: boolean) {
    this.#shown = shown && process.stderr.isTTY;
  }

  show(share: number, words: string): void {
    const nowMs = performance.now();
    if (!this.#shown || nowMs - this.#lastMs < EVERY_MS) return;
    this.#lastMs = nowMs;
    const done = Math.round(Math.min(1, share) * WIDTH);
    const bar = '█'.repeat(done) + '░'.repeat(WIDTH - done);
    const percent = String(Math.floor(Math.min(1, share) * 100)).padStart(3);
    process.stderr.write(`\r${bar} ${percent} %  ${words}\u001b[K`);
  }

  /** Clears the bar. */
  end(): void {
    if (this.#shown) process.stderr.write('\r\u001b[K');
  }
}
