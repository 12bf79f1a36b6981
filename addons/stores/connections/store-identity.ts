import type { Reader, Transaction } from '../../../src/db/database.ts';
import { invalidParameter } from '../../../src/kernel/call/parameters.ts';
import { ApiError, defineError } from '../../../src/kernel/declare/errors.ts';
import type { Site } from '../../../src/kernel/declare/site.ts';
import { askConnector } from '../connectors/ask-connector.ts';
import type { Connector, StoreApi } from '../connectors/connector.ts';
import { shopAt } from '../connectors/store-api.ts';
import {
  identifyConnection,
  listSameStore,
  type ConnectionRow,
  type StoreIdentity,
} from './connection-rows.ts';

export const storeIsConnected = defineError(
  'svc_api_store_connected',
  409,
  'The store is already connected. `data.connection_id` names the connection; `replace: true` takes it over, and ' +
    '`another: true` says that it is another store at the same address.',
);

/**
 * The host of a store, without `www.`, a final dot and the usual ports, whatever the scheme, with the folder that the
 * store is in: one host can have several. A folder that an owner typed wrong makes one store look like two; its orders
 * then show that they are the same.
 */
export function hostAndFolderOf(address: string): string | null {
  const url = URL.parse(address);
  const host = url?.host.replace(/:(?:80|443)$/, '').replace(/\.(?=:|$)/, '') ?? '';
  return host === '' ? null : host.replace(/^www\./, '') + url!.pathname.replace(/\/+$/, '');
}

/** What tells a store apart from others of its kind by its address; null if the address does not. */
export function ownHost({ normalizeUrl, urlIsShared }: Connector, url: string): string | null {
  return normalizeUrl && !urlIsShared ? hostAndFolderOf(url) : null;
}

/** Asks the store for its account where the kind has accounts. Throws a `StoreError` if the store does not answer. */
export async function identityOf(
  site: Site,
  connector: Connector,
  given: Pick<StoreApi, 'url' | 'credentials'>,
  host = ownHost(connector, given.url),
): Promise<StoreIdentity> {
  const { kind, accountOf } = connector;
  if (!accountOf || Object.keys(given.credentials).length === 0) return { host, account: null };
  const store = shopAt(site, connector, given);
  return { host, account: (await askConnector(site, kind, () => accountOf(store))) ?? null };
}

/** Connections are created and identified one after the other, so that two requests do not connect the same store. */
export function lockIdentities(tx: Transaction): Promise<void> {
  return tx.lock('store connections');
}

/** The connection of the same store, if there is one: a deleted one continues. */
export async function findSameStore(
  db: Reader,
  kind: string,
  identity: StoreIdentity,
): Promise<ConnectionRow | undefined> {
  const same = await listSameStore(db, { ...identity, kind });
  const [found = same[0], other] = same.filter(({ state }) => state !== 'deleted');
  // A store whose host belongs to one connection and whose account to another: the owner decides.
  if (other) throw alreadyConnected(other);
  return found;
}

/** Refuses an identity that another connection has. */
export async function refuseSameStore(
  db: Reader,
  { id, kind }: Pick<ConnectionRow, 'id' | 'kind'>,
  identity: StoreIdentity,
): Promise<void> {
  const same = await listSameStore(db, { ...identity, kind });
  const other = same.find((row) => row.state !== 'deleted' && row.id !== id);
  if (other) throw alreadyConnected(other);
}

/** Makes a connection the one of this store. A deleted one that had it before gives it up. */
export async function identify(
  tx: Transaction,
  connection: Pick<ConnectionRow, 'id' | 'kind' | 'url'> & StoreIdentity,
): Promise<void> {
  await refuseSameStore(tx, connection, connection);
  for (const { id, url } of await listSameStore(tx, connection)) {
    if (id !== connection.id) {
      await identifyConnection(tx, { id, url, host: null, account: null });
    }
  }
  await identifyConnection(tx, connection);
}

/** Credentials of another account would mix the orders of two stores in one connection. */
export function refuseOtherAccount({ account: before }: ConnectionRow, after: StoreIdentity): void {
  if (before === null || after.account === null || before === after.account) return;
  throw invalidParameter(
    'credentials',
    'belong to another account of the store: connect it as a store of its own',
  );
}

export function alreadyConnected({ id, name }: ConnectionRow): ApiError {
  return new ApiError(storeIsConnected, {
    message: `This store is already connected, as ${name} (connection ${id}). Orders would count twice.`,
    data: { connection_id: id, name },
  });
}
