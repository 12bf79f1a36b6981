import type { StoreApi } from '../connector.ts';
import { objectsOf, textOf } from '../../mapping/payload.ts';
import { readShopify } from './client.ts';

/** What the app may do in the shop. */
export async function readScopes(store: StoreApi): Promise<ReadonlySet<string>> {
  const answer = await readShopify(store, { url: '/admin/oauth/access_scopes.json' });
  return new Set(objectsOf(answer['access_scopes']).flatMap(({ handle }) => textOf(handle) ?? []));
}

/** Writing includes reading. */
export function hasScope(scopes: ReadonlySet<string>, scope: string): boolean {
  return scopes.has(scope) || scopes.has(scope.replace(/^read_/, 'write_'));
}
