import type { TBoolean } from 'typebox';
import { GuardedClient } from '../../shared/guarded-client.ts';
import type { SettingDefinition } from '../declare/setting.ts';
import { perSite, type Site } from '../declare/site.ts';

interface SiteClientOptions {
  /** Whether private addresses are allowed. */
  readonly allowPrivate: SettingDefinition<TBoolean>;
  /** Logs that they are. */
  warn(log: Site['log']): void;
}

/** An HTTP client per site, for addresses that users entered. It is replaced when its setting changes. */
export class SiteClient {
  readonly #options: SiteClientOptions;
  readonly #opened = perSite(() => ({ client: undefined as GuardedClient | undefined }));

  constructor(options: SiteClientOptions) {
    this.#options = options;
  }

  of(site: Site): GuardedClient {
    const { allowPrivate, warn } = this.#options;
    const mayBePrivate = site.settings.get(allowPrivate);
    const known = this.#opened(site).client;
    if (known?.guard.allowPrivate === mayBePrivate) return known;
    this.close(site);
    const client = new GuardedClient({ allowPrivate: mayBePrivate });
    this.#opened(site).client = client;
    if (mayBePrivate) warn(site.log);
    return client;
  }

  close(site: Site): void {
    const opened = this.#opened(site);
    void opened.client?.close();
    opened.client = undefined;
  }
}
