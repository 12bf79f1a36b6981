import type { Transaction } from '../../../src/db/database.ts';
import { ApiError, defineError } from '../../../src/kernel/declare/errors.ts';
import type { Site } from '../../../src/kernel/declare/site.ts';
import { randomBase62 } from '../../../src/shared/secrets.ts';
import type { Connector } from '../connectors/connector.ts';
import { nameOf } from './connection-input.ts';
import {
  countConnections,
  insertConnection,
  lockConnection,
  reopenConnection,
  saveConnection,
  type ConnectionRow,
  type StoreIdentity,
} from './connection-rows.ts';
import { requireConnection } from './require-connection.ts';
import { decryptFrom, encryptFor } from './secret.ts';
import { alreadyConnected, findSameStore, identify, lockIdentities } from './store-identity.ts';

const SECRET_LENGTH = 40;
const CONNECTIONS_MAX = 100;
/** Deliveries that are on their way are signed with the secret before. */
const OVERLAP_MS = 24 * 60 * 60_000;

export const RECEIVES_ONLY =
  'The connection has no credentials: it only receives, and nothing is reconciled.';

export const tooManyConnections = defineError(
  'svc_api_too_many_connections',
  409,
  `There are ${CONNECTIONS_MAX} connected stores, which is the maximum. Delete one first.`,
);

export interface NewStore extends StoreIdentity {
  readonly kind: string;
  /** Without one, the connection that the store has keeps its name, and a new one gets that of the host. */
  readonly name?: string | undefined;
  readonly url: string;
  readonly credentials: Record<string, string>;
  readonly secret?: string | undefined;
}

export interface ClaimedStore {
  /** How the connection is with the new access. That of a store that works is not stored yet. */
  readonly row: ConnectionRow;
  /** The connection exists, and works on until the new access is known to work. */
  readonly isTakenOver: boolean;
}

/**
 * The connection of a new store, or the one that the same store has already: a deleted one continues with its orders,
 * and one that is not deleted is taken over if `replaces` says so. Until the store has been called, a connection with
 * credentials counts as failed.
 */
export async function claimStore(
  tx: Transaction,
  site: Site,
  connector: Connector,
  given: NewStore,
  replaces: boolean,
): Promise<ClaimedStore> {
  await lockIdentities(tx);
  const same = await findSameStore(tx, given.kind, given);
  if (same && same.state !== 'deleted') {
    if (!replaces) throw alreadyConnected(same);
    return { row: withAccess(site, connector, same, given), isTakenOver: true };
  }
  if ((await countConnections(tx, {})) >= CONNECTIONS_MAX) throw new ApiError(tooManyConnections);
  const { kind, name = nameOf(connector, given.url), url, host, account } = given;
  const state = Object.keys(given.credentials).length > 0 ? 'failed' : 'receiving';
  const created_at = site.clock();
  const empty =
    same ?? (await insertConnection(tx, { kind, name, url, host, account, state, created_at }));
  if (same) await reopenConnection(tx, { id: same.id, state, created_at });
  // The encryption is bound to the row's id, which is known only now.
  const row = withAccess(site, connector, { ...empty, webhooks_active: null, created_at }, given);
  await identify(tx, row);
  await saveConnection(tx, row);
  return { row, isTakenOver: false };
}

/** What a new access changes of a connection. Its secrets are encrypted. */
export function accessOf(row: ConnectionRow) {
  const { name, url, host, account, state, reason } = row;
  const { secret, previous_secret, previous_until, credentials } = row;
  const about = { name, url, host, account, state, reason };
  return { ...about, secret, previous_secret, previous_until, credentials };
}

/** Stores the new access to a store that was connected already. */
export async function takeOver(tx: Transaction, row: ConnectionRow): Promise<void> {
  await lockIdentities(tx);
  await lockConnection(tx, row.id);
  const { exchange_rates, coupon_discount } = await requireConnection(tx, row.id);
  await identify(tx, row);
  // They may have changed while the store was called.
  await saveConnection(tx, { ...row, exchange_rates, coupon_discount });
}

function withAccess(
  site: Site,
  connector: Connector,
  row: ConnectionRow,
  { name = row.name, url, host, account, credentials, secret = newSecret(connector) }: NewStore,
): ConnectionRow {
  const { id } = row;
  const hasAny = Object.keys(credentials).length > 0;
  return {
    ...row,
    name,
    url,
    host,
    account: account ?? row.account,
    state: hasAny ? 'failed' : 'receiving',
    reason: hasAny ? 'The store has not been called yet.' : RECEIVES_ONLY,
    failing_since: null,
    reported_since: null,
    previous_secret: encryptFor(site, 'previous_secret', id, decryptFrom(site, 'secret', row)),
    previous_until: site.clock() + OVERLAP_MS,
    secret: encryptFor(site, 'secret', id, secret),
    credentials: hasAny ? encryptFor(site, 'credentials', id, JSON.stringify(credentials)) : '',
  };
}

export function newSecret({ makeSecret, storeMakesSecret }: Connector): string {
  if (makeSecret) return makeSecret();
  return storeMakesSecret ? '' : randomBase62(SECRET_LENGTH);
}
