import { perSite } from './site.ts';

/** The requests that this process is answering. Background work that would fill the event loop lets them go first. */
export class OpenRequests {
  #open = 0;
  #idle = Promise.withResolvers<void>();

  begin(): void {
    this.#open += 1;
  }

  end(): void {
    this.#open -= 1;
    if (this.#open > 0) return;
    this.#idle.resolve();
    this.#idle = Promise.withResolvers();
  }

  /** Resolves when no request is open, but no later than after `waitMsMax`: there may always be one. */
  async idle(waitMsMax: number): Promise<void> {
    if (this.#open === 0) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, waitMsMax);
    await Promise.race([this.#idle.promise, promise]);
    clearTimeout(timer);
  }
}

export const openRequests = perSite(() => new OpenRequests());
