import { limitedLogOf } from '../../../src/kernel/declare/limited-log.ts';
import type { Site } from '../../../src/kernel/declare/site.ts';
import { codeParametersOf } from '../../../src/modules/clicks/index.ts';
import { causeOf } from '../../../src/shared/limited-log.ts';
import { hasCredentials, type ConnectedStore } from '../connections/open-connection.ts';
import { askConnected } from '../connectors/ask-connector.ts';
import type { Connector, Mapped, MappedOrder, MappingContext } from '../connectors/connector.ts';
import { findStored, notShown, type NotShown } from './absence.ts';

/** What a payload says, after what was missing was fetched from the store. */
export type FinalMapping = Exclude<Mapped, { result: 'ask' }> | NotShown;

/** A mapping, and when the store had the order like that. */
export interface Observed {
  readonly mapping: FinalMapping;
  readonly observedAtMs: number;
  /** Whether the store was asked, so that it shows the order. */
  readonly isRead: boolean;
}

/**
 * Maps a payload; asks the store for the complete order if the payload is not enough. Throws a `StoreError` if the store
 * does not answer.
 */
export async function mapPayload(
  store: ConnectedStore,
  {
    payload,
    topic,
    observedAtMs,
    isRead = false,
  }: { payload: unknown; topic: string; observedAtMs: number; isRead?: boolean },
): Promise<Observed> {
  const { connector, connection } = store;
  const { fetchOrder } = connector;
  const canAsk = hasCredentials(connection) && fetchOrder !== undefined;
  const mapped = map(store, payload, topic, { canAsk, isComplete: false });
  if (mapped.result !== 'ask') return { mapping: mapped, observedAtMs, isRead };
  if (!canAsk) {
    const reason = `${mapped.reason} The connection has no credentials to ask.`;
    return { mapping: { result: 'failed', reason }, observedAtMs, isRead };
  }
  const fetched = await mapFetched(store, fetchOrder, mapped.externalId, topic);
  const { mapping } = fetched;
  if (fetched.isRead) return fetched;
  // What the payload itself says counts, whatever the store shows.
  const alone = map(store, payload, topic, { canAsk: false, isComplete: false });
  if (alone.result === 'gone' || (alone.result === 'order' && (await isNews(store, alone)))) {
    return { mapping: alone, observedAtMs, isRead };
  }
  if (mapping.result !== 'not-shown') return fetched;
  const changeOf: NotShown['changeOf'] = (known) => connector.changeIn?.(payload, topic, known);
  return { ...fetched, mapping: { ...mapping, changeOf } };
}

/** Whether a payload that is not enough contains a version that is not stored yet. */
async function isNews({ site, connection }: ConnectedStore, { order }: MappedOrder) {
  const stored = await findStored(site.database.read, {
    connection_id: connection.id,
    external_id: order.external_id,
  });
  return !stored || Date.parse(order.date_modified) > (stored.modified_at ?? 0);
}

/** Fetches an order from the store, and maps it. Throws a `StoreError` if the store does not answer. */
export async function mapFetched(
  store: ConnectedStore,
  fetchOrder: NonNullable<Connector['fetchOrder']>,
  externalId: string,
  topic: string,
): Promise<Observed & { readonly payload: unknown }> {
  const observedAtMs = store.site.clock();
  const payload = await askConnected(store, (api) => fetchOrder(api, externalId));
  const mapping =
    payload === undefined
      ? await notShown(store, externalId, observedAtMs)
      : mapWhole(store, payload, topic);
  return { mapping, observedAtMs, isRead: payload !== undefined, payload };
}

/** Maps a payload of `fetchOrder`, which has everything. */
export function mapWhole(store: ConnectedStore, payload: unknown, topic: string): FinalMapping {
  const canAsk = hasCredentials(store.connection) && store.connector.fetchOrder !== undefined;
  const mapped = map(store, payload, topic, { canAsk, isComplete: true });
  return mapped.result === 'ask' ? { result: 'failed', reason: mapped.reason } : mapped;
}

type Asking = Pick<MappingContext, 'canAsk' | 'isComplete'>;

function map(store: ConnectedStore, payload: unknown, topic: string, asking: Asking): Mapped {
  const { site, connector, connection } = store;
  try {
    return connector.toOrder(payload, contextOf(store, asking), topic);
  } catch (error) {
    limitedLogOf(site).error(
      `store mapping ${connector.kind} ${causeOf(error)}`,
      { err: error, kind: connector.kind, connection: connection.id },
      'a payload of a store could not be mapped',
    );
    return { result: 'failed', reason: 'The payload could not be read. See the log.' };
  }
}

function contextOf({ site, connector }: ConnectedStore, asking: Asking): MappingContext {
  return {
    ...asking,
    codeParameters: codeParametersOf(site),
    settings: settingsOf(site, connector.kind),
    currency: site.currency.code,
  };
}

/** The settings whose keys begin with `stores.` and the kind, by the rest of the key. */
export function settingsOf({ registry, settings }: Site, kind: string): Record<string, unknown> {
  const prefix = `stores.${kind}.`;
  return Object.fromEntries(
    [...registry.settings().values()]
      .filter(({ key }) => key.startsWith(prefix))
      .map((setting) => [setting.key.slice(prefix.length), settings.get(setting)]),
  );
}
