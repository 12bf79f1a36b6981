import type { Site } from '../../../kernel/declare/site.ts';
import { codeParametersOf } from '../../../modules/clicks/index.ts';
import { causeOf } from '../../../shared/limited-log.ts';
import { limitedLogOf } from '../../../kernel/declare/limited-log.ts';
import { askConnected } from '../connectors/ask-connector.ts';
import type { Connector, Mapped, MappingContext } from '../connectors/connector.ts';
import { hasCredentials, type ConnectedStore } from '../connections/open-connection.ts';

/** What a payload says, after what was missing was fetched from the store. */
export type FinalMapping = Exclude<Mapped, { result: 'ask' }>;

/** A mapping, and when the store had the order like that. */
export interface Observed {
  readonly mapping: FinalMapping;
  readonly observedAtMs: number;
}

/**
 * Maps a payload; asks the store for the complete order if the payload is not enough. Throws a `StoreError` if the store
 * does not answer.
 */
export async function mapPayload(
  store: ConnectedStore,
  { payload, topic, observedAtMs }: { payload: unknown; topic: string; observedAtMs: number },
): Promise<Observed> {
  const mapped = map(store, payload, topic, false);
  if (mapped.result !== 'ask') return { mapping: mapped, observedAtMs };
  const { fetchOrder } = store.connector;
  if (!hasCredentials(store.connection) || !fetchOrder) {
    const reason = `${mapped.reason} The connection has no credentials to ask.`;
    return { mapping: { result: 'failed', reason }, observedAtMs };
  }
  return mapFetched(store, fetchOrder, mapped.externalId, topic);
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
  const mapping: FinalMapping =
    payload === undefined
      ? { result: 'gone', externalId, reason: 'The order no longer exists in the store.' }
      : mapWhole(store, payload, topic);
  return { mapping, observedAtMs, payload };
}

/** Maps a payload of `fetchOrder`, which has everything. */
export function mapWhole(store: ConnectedStore, payload: unknown, topic: string): FinalMapping {
  const mapped = map(store, payload, topic, true);
  return mapped.result === 'ask' ? { result: 'failed', reason: mapped.reason } : mapped;
}

function map(store: ConnectedStore, payload: unknown, topic: string, isComplete: boolean): Mapped {
  const { site, connector, connection } = store;
  try {
    return connector.toOrder(payload, contextOf(store, isComplete), topic);
  } catch (error) {
    limitedLogOf(site).error(
      `store mapping ${connector.kind} ${causeOf(error)}`,
      { err: error, kind: connector.kind, connection: connection.id },
      'a payload of a store could not be mapped',
    );
    return { result: 'failed', reason: 'The payload could not be read. See the log.' };
  }
}

function contextOf(
  { site, connector, connection }: ConnectedStore,
  isComplete: boolean,
): MappingContext {
  return {
    canAsk: hasCredentials(connection) && connector.fetchOrder !== undefined,
    isComplete,
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
