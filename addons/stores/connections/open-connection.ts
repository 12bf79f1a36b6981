import type { Site } from '../../../src/kernel/declare/site.ts';
import type { Connector, Verification } from '../connectors/connector.ts';
import type { ConnectionRow } from './connection-rows.ts';
import { decryptFrom } from './secret.ts';

/** A connection of a site, with its kind of store. */
export interface ConnectedStore {
  readonly site: Site;
  readonly connector: Connector;
  readonly connection: ConnectionRow;
}

export function receiverUrl({ publicUrl }: Site, { kind, id }: ConnectionRow): string {
  return `${publicUrl}/connect/${kind}/${id}`;
}

/** Empty without credentials. */
export function credentialsOf(site: Site, connection: ConnectionRow): Record<string, string> {
  const text = decryptFrom(site, 'credentials', connection);
  // The value is an object of texts that this add-on has encrypted.
  return text === '' ? {} : (JSON.parse(text) as Record<string, string>);
}

export function hasCredentials({ credentials }: ConnectionRow): boolean {
  return credentials !== '';
}

/** Whether orders can be read from the store, so that it is reconciled. */
export function canReconcile(connector: Connector, connection: ConnectionRow): boolean {
  return hasCredentials(connection) && connector.changedSince !== undefined;
}

/** The current secret, and the one before while both are accepted. */
export function secretsOf(site: Site, connection: ConnectionRow): string[] {
  const isOverlapping = (connection.previous_until ?? 0) > site.clock();
  return [
    decryptFrom(site, 'secret', connection),
    isOverlapping ? decryptFrom(site, 'previous_secret', connection) : '',
  ].filter((secret) => secret !== '');
}

/** What a connector verifies deliveries with. */
export function verificationOf(site: Site, connection: ConnectionRow): Verification {
  return {
    secrets: secretsOf(site, connection),
    credentials: credentialsOf(site, connection),
    url: connection.url,
    nowMs: site.clock(),
  };
}
