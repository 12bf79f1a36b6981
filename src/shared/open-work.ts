/** Counts work that people wait for. Work in the background lets it go first. */
export class OpenWork {
  #open = 0;
  #none = Promise.withResolvers<void>();

  begin(): void {
    this.#open += 1;
  }

  end(): void {
    this.#open -= 1;
    if (this.#open > 0) return;
    this.#none.resolve();
    this.#none = Promise.withResolvers();
  }

  /** Resolves when none is open, but after `waitMsMax` at the latest: there may always be some. */
  async ended(waitMsMax: number): Promise<void> {
    if (this.#open === 0) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, waitMsMax);
    await Promise.race([this.#none.promise, promise]);
    clearTimeout(timer);
  }
}
