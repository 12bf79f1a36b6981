import type { Reader } from '../../../src/db/database.ts';
import { ApiError, defineError, requireFound } from '../../../src/kernel/declare/errors.ts';
import type { Site } from '../../../src/kernel/declare/site.ts';
import { StoreError, type Connector } from '../connectors/connector.ts';
import { findConnector } from '../connectors/connectors.ts';
import { findConnection, type ConnectionRow } from './connection-rows.ts';
import { canReconcile } from './open-connection.ts';

export const kindNotLoaded = defineError(
  'svc_api_store_kind_missing',
  409,
  'The extension that brings this kind of store is not loaded.',
);

export const noCredentials = defineError(
  'svc_api_store_only_receives',
  409,
  "This connection only receives deliveries: it has no credentials for the store's API, or the kind of store has none.",
);

export const storeFailed = defineError(
  'svc_api_store_failed',
  502,
  'The store returned an unexpected response.',
);

export async function requireConnection(db: Reader, id: number): Promise<ConnectionRow> {
  return requireFound(await findConnection(db, id));
}

export function requireConnector(site: Site, { kind }: ConnectionRow): Connector {
  const connector = findConnector(site, kind);
  if (!connector) throw new ApiError(kindNotLoaded);
  return connector;
}

/** Refuses a connection whose orders cannot be read from the store. */
export function requireReadable(connector: Connector, connection: ConnectionRow): void {
  if (!canReconcile(connector, connection)) throw new ApiError(noCredentials);
}

/** Turns an error of the store into the response with its sentence. */
export async function askStore<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    throw new ApiError(storeFailed, { message: error.message });
  }
}
