import { perSite, type Site } from '../../kernel/declare/site.ts';
import { GuardedClient } from '../../shared/guarded-client.ts';
import { allowPrivate } from './settings.ts';

/** The HTTP client of a site. It is replaced when private addresses become forbidden. */
class Clients {
  readonly #site: Site;
  #client: GuardedClient | undefined;

  constructor(site: Site) {
    this.#site = site;
  }

  current(): GuardedClient {
    const mayBePrivate = this.#site.settings.get(allowPrivate);
    if (this.#client?.guard.allowPrivate !== mayBePrivate) {
      this.close();
      this.#client = new GuardedClient({ allowPrivate: mayBePrivate });
      if (mayBePrivate) {
        this.#site.log.warn(
          {},
          'stores.allow_private is ON: connected stores can be on this machine and in private networks. Turn it off in production.',
        );
      }
    }
    return this.#client;
  }

  close(): void {
    void this.#client?.close();
    this.#client = undefined;
  }
}

const clientsOf = perSite((site) => new Clients(site));

export function clientOf(site: Site): GuardedClient {
  return clientsOf(site).current();
}

export function closeClient(site: Site): void {
  clientsOf(site).close();
}
