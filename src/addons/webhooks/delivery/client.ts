import { perSite, type Site } from '../../../kernel/declare/site.ts';
import { GuardedClient } from '../../../shared/guarded-client.ts';
import { allowPrivate } from '../settings.ts';

/** The connections of a site to receivers. When private ones become forbidden, none is kept. */
class Connections {
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
          'webhooks.allow_private is ON: webhooks reach this machine and private networks. Never leave it on in production.',
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

const connectionsOf = perSite((site) => new Connections(site));

export function clientOf(site: Site): GuardedClient {
  return connectionsOf(site).current();
}

export function closeConnections(site: Site): void {
  connectionsOf(site).close();
}
