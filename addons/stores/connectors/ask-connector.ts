import { limitedLogOf } from '../../../src/kernel/declare/limited-log.ts';
import type { Site } from '../../../src/kernel/declare/site.ts';
import { causeOf } from '../../../src/shared/limited-log.ts';
import type { ConnectedStore } from '../connections/open-connection.ts';
import { StoreError, type StoreApi } from './connector.ts';
import { storeApiOf } from './store-api.ts';

/** Calls a connected store, as `askConnector` does. */
export async function askConnected<T>(
  store: ConnectedStore,
  ask: (api: StoreApi) => Promise<T>,
): Promise<T> {
  const api = storeApiOf(store);
  return askConnector(store.site, store.connector.kind, () => ask(api));
}

/**
 * Runs code of a connector that calls the store. Any error becomes a `StoreError`: stores answer with what no connector
 * expects, such as a page of a firewall.
 */
export async function askConnector<T>(site: Site, kind: string, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof StoreError) throw error;
    limitedLogOf(site).error(
      `store connector ${kind} ${causeOf(error)}`,
      { err: error, kind },
      'the answer of a store could not be read',
    );
    throw new StoreError('failed', "The store's answer could not be read. See the log.");
  }
}
