import { BoundedMap } from '../../shared/bounded-map.ts';
import type { Site } from '../declare/site.ts';

const CACHED_MAX = 10_000;

/**
 * Caches the callers of credentials, so that authentication takes one map lookup instead of a query. The
 * cache is cleared whenever a user or a credential changes, which is rare.
 */
export class CredentialCache<T> {
  readonly #known = new BoundedMap<string, T>(CACHED_MAX);
  #generation = 0;

  constructor(site: Site) {
    site.onInvalidateCaches(() => {
      this.#known.clear();
      this.#generation += 1;
    });
  }

  find(credential: string, load: () => Promise<T | undefined>): T | Promise<T | undefined> {
    return this.#known.get(credential) ?? this.#load(credential, load);
  }

  async #load(credential: string, load: () => Promise<T | undefined>): Promise<T | undefined> {
    const generation = this.#generation;
    const found = await load();
    // A value that was read before an invalidation must not be cached after it.
    if (found !== undefined && generation === this.#generation) {
      this.#known.set(credential, found);
    }
    return found;
  }
}
