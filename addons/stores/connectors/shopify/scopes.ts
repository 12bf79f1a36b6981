import { objectOf, objectsOf, textOf, type Json } from '../../mapping/payload.ts';
import type { StoreApi } from '../connector.ts';
import { queryShopify } from './client.ts';

const SCOPES = 'currentAppInstallation { accessScopes { handle } }';

const SHOP_AND_SCOPES = `query Shop {
  shop { id name currencyCode plan { publicDisplayName } }
  ${SCOPES}
}`;

/** The shop, and what the app may do in it. */
export async function readShop(
  store: StoreApi,
): Promise<{ shop: Json; scopes: ReadonlySet<string> }> {
  const answer = await queryShopify(store, SHOP_AND_SCOPES);
  return { shop: objectOf(answer['shop']), scopes: scopesIn(answer) };
}

/** What the app may do in the shop. */
export async function readScopes(store: StoreApi): Promise<ReadonlySet<string>> {
  return scopesIn(await queryShopify(store, `query Scopes { ${SCOPES} }`));
}

function scopesIn({ currentAppInstallation }: Json): ReadonlySet<string> {
  const { accessScopes } = objectOf(currentAppInstallation);
  return new Set(objectsOf(accessScopes).flatMap(({ handle }) => textOf(handle) ?? []));
}

/** Writing includes reading. */
export function hasScope(scopes: ReadonlySet<string>, scope: string): boolean {
  return scopes.has(scope) || scopes.has(scope.replace(/^read_/, 'write_'));
}
