import { limitedLogOf } from '../../kernel/declare/limited-log.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { causeOf } from '../../shared/limited-log.ts';
import { ShopError } from './connector.ts';

/**
 * Runs code of a connector that calls the store. Any error becomes a `ShopError`: stores answer with what no connector
 * expects, such as a page of a firewall.
 */
export async function askConnector<T>(site: Site, kind: string, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof ShopError) throw error;
    limitedLogOf(site).error(
      `store connector ${kind} ${causeOf(error)}`,
      { err: error, kind },
      'the answer of a store could not be read',
    );
    throw new ShopError('failed', "The store's answer could not be read. See the log.");
  }
}
