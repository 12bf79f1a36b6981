import { createHash } from 'node:crypto';
import { query } from '../../../db/statements/query.ts';
import type { Reader } from '../../../db/database.ts';
import { DatabaseUnavailable } from '../../../db/unavailable.ts';
import type { Site } from '../../../kernel/declare/site.ts';
import type { ConnectionRow } from '../connections/connection-rows.ts';
import type { Connector } from '../connectors/connector.ts';
import { keepDeliveries, type NewDelivery } from '../deliveries/delivery-rows.ts';
import { toStoredBody } from '../deliveries/stored-body.ts';
import { mapPayload, type FinalMapping } from '../orders/map-order.ts';
import { findNumbers } from '../orders/order-numbers.ts';
import { isStorable } from '../../../shared/storable.ts';
import {
  checkMapping,
  NumberTaken,
  storeOrders,
  type Checked,
  type ReadyOrder,
} from '../orders/store-orders.ts';

/** The topic of payloads that were read from the store. */
export const SYNC_TOPIC = 'sync';
/** Other orders wait while one transaction stores these. */
const TOGETHER = 50;

const waiting = query<{ connection_id: number; ids: string }, { external_id: string }>(
  (db, p, _given, dialect) =>
    db
      .selectFrom('store_deliveries')
      // The index of due deliveries has only the few that wait.
      .where('due_at', 'is not', null)
      .where('connection_id', '=', p.connection_id)
      .where(dialect.inJsonArray('external_id', p.ids, 'text'))
      .select((eb) => eb.ref('external_id').$castTo<string>().as('external_id')),
);

interface PayloadRead {
  readonly payload: unknown;
  readonly externalId: string | null;
  readonly checked: Checked;
}

export interface PageResult {
  readonly changed: number;
  /** Changed orders that no waiting delivery would have brought. */
  readonly missed: number;
}

/** Maps the payloads of a page. `stillMine` is called between requests and throws if the lease is lost. */
export async function mapPage(
  site: Site,
  connector: Connector,
  connection: ConnectionRow,
  { payloads, observedAtMs }: { payloads: readonly unknown[]; observedAtMs: number },
  stillMine: () => Promise<void>,
): Promise<PayloadRead[]> {
  const read: PayloadRead[] = [];
  for (const payload of payloads) {
    await stillMine();
    const given = { payload, topic: SYNC_TOPIC, observedAtMs };
    const observed = await mapPayload(site, connector, connection, given);
    const checked = checkMapping(site, connection, observed);
    const externalId = externalIdOf(connector, payload, observed.mapping);
    read.push({ payload, externalId, checked });
  }
  return read;
}

/** The payloads of orders that are stored. */
export async function knownAmong(
  site: Site,
  { externalIdIn }: Connector,
  { id }: ConnectionRow,
  payloads: readonly unknown[],
): Promise<unknown[]> {
  const ids = payloads.map((payload) => externalIdIn?.(payload) ?? '');
  const known = await findNumbers(site.database.read, id, ids);
  return payloads.filter((_, i) => known.has(ids[i]!));
}

function externalIdOf(
  { externalIdIn }: Connector,
  payload: unknown,
  mapping: FinalMapping,
): string | null {
  const id = mapping.result === 'order' ? mapping.order.external_id : externalIdIn?.(payload);
  return id !== undefined && isStorable(id) ? id : null;
}

/** Stores the orders of a page in pieces. What cannot be stored goes to the inbox with its reason. */
export async function storePage(
  site: Site,
  connection: ConnectionRow,
  read: readonly PayloadRead[],
): Promise<PageResult> {
  let changed = 0;
  let missed = 0;
  for (let i = 0; i < read.length; i += TOGETHER) {
    const result = await storePiece(site, connection, read.slice(i, i + TOGETHER));
    changed += result.changed;
    missed += result.missed;
  }
  return { changed, missed };
}

async function storePiece(
  site: Site,
  connection: ConnectionRow,
  read: readonly PayloadRead[],
): Promise<PageResult> {
  const orders = read.filter(({ checked }) => isReady(checked));
  const ready = orders.flatMap(({ checked }) => (isReady(checked) ? checked : []));
  const failed = read.flatMap((one) =>
    one.checked.result === 'failed' ? toFailed(site, connection, one, one.checked.reason) : [],
  );
  try {
    return await site.database.transaction(async (tx) => {
      const brought = await findWaiting(tx, connection, ready);
      const stored = await storeOrders(tx, site, connection, ready);
      const refused = orders.flatMap((one, i) =>
        stored[i]!.isRefused ? toFailed(site, connection, one, stored[i]!.reason) : [],
      );
      const kept = [...failed, ...refused];
      if (kept.length > 0) await keepDeliveries(tx, kept);
      const changed = ready.filter((_, i) => stored[i]!.isChanged);
      const missed = changed.filter(({ externalId }) => !brought.has(externalId));
      return { changed: changed.length, missed: missed.length };
    });
  } catch (error) {
    if (error instanceof DatabaseUnavailable) throw error;
    if (error instanceof NumberTaken) return storePiece(site, connection, read);
    return storeAlone(site, connection, read, error);
  }
}

/** Stores each order of a piece that could not be stored together, so that a bad one stops no other. */
async function storeAlone(
  site: Site,
  connection: ConnectionRow,
  read: readonly PayloadRead[],
  error: unknown,
): Promise<PageResult> {
  const [first, ...others] = read;
  if (others.length === 0) {
    site.log.error({ err: error, connection: connection.id }, 'an order of a store failed');
    const reason = 'An unexpected error occurred. See the log.';
    const failed = toFailed(site, connection, first!, reason);
    await site.database.transaction((tx) => keepDeliveries(tx, [failed]));
    return { changed: 0, missed: 0 };
  }
  const total = { changed: 0, missed: 0 };
  for (const one of read) {
    const { changed, missed } = await storePiece(site, connection, [one]);
    total.changed += changed;
    total.missed += missed;
  }
  return total;
}

function isReady(checked: Checked): checked is ReadyOrder {
  return checked.result === 'order' || checked.result === 'gone';
}

async function findWaiting(
  db: Reader,
  { id }: ConnectionRow,
  ready: readonly ReadyOrder[],
): Promise<Set<string>> {
  if (ready.length === 0) return new Set();
  const ids = JSON.stringify(ready.map(({ externalId }) => externalId));
  const rows = await db.all(waiting, { connection_id: id, ids });
  return new Set(rows.map(({ external_id }) => external_id));
}

function toFailed(
  site: Site,
  { id }: ConnectionRow,
  { payload, externalId }: PayloadRead,
  reason: string,
): NewDelivery {
  const bytes = Buffer.from(JSON.stringify(payload) ?? 'null');
  return {
    connection_id: id,
    topic: SYNC_TOPIC,
    external_id: externalId,
    dedupe_key: `sync ${createHash('sha256').update(bytes).digest('base64url')}`,
    headers: '{}',
    ...toStoredBody(bytes),
    state: 'failed',
    reason,
    due_at: null,
    received_at: site.clock(),
  };
}
