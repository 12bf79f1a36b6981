import { limitedLogOf } from '../../../src/kernel/declare/limited-log.ts';
import { perSite, type Site } from '../../../src/kernel/declare/site.ts';
import { learnGoodsNames, type NamedGoods } from '../../../src/modules/rewards/index.ts';
import { BoundedMap } from '../../../src/shared/bounded-map.ts';
import { hasCredentials, type ConnectedStore } from '../connections/open-connection.ts';
import { askConnected } from '../connectors/ask-connector.ts';
import { StoreError, type StoreOrder } from '../connectors/connector.ts';
import { storableIds } from '../mapping/order-limits.ts';
import { readKnownVersions } from './known-versions.ts';
import type { Observed } from './map-order.ts';

/** The setting of the module of rewards that every change of its rules raises. */
const RULES_VERSION = 'rewards.version';
const KEPT_MS = 60 * 60_000;
const PRODUCTS_MAX = 20_000;
/** Products that one request asks for. */
const TOGETHER = 100;
/** A store that does not answer is not asked with every order. */
const PAUSE_MS = 60_000;

type Item = StoreOrder['items'][number];
type Groups = Required<Pick<Item, 'category_ids' | 'tag_ids'>> & Pick<Item, 'other_ids'>;

interface Product {
  readonly groups: Groups;
  readonly names: readonly NamedGoods[];
}

const memoryOf = perSite(() => ({
  /** By connection and product. */
  products: new BoundedMap<string, Product & { readMs: number }>(PRODUCTS_MAX),
  /** When the product could not be read, by connection. */
  failedMs: new Map<number, number>(),
}));

/**
 * Only rules of rewards and percentages of products ask what products are. Without them nothing is read, from the
 * database neither.
 */
function asksForProducts({ registry, settings }: Site): boolean {
  const valueOf = (name: string) => {
    const setting = registry.settings().get(name);
    return setting && settings.get(setting);
  };
  return (
    Number(valueOf(RULES_VERSION) ?? 0) > 0 ||
    Object.keys(valueOf('commission.product_percents') ?? {}).length > 0
  );
}

/**
 * Adds the categories, tags and other ids of their products to orders of a store whose lines have none. A line keeps those that it
 * was first stored with: the order earns by what the product was in when it was bought. An order whose products cannot
 * be read is taken without.
 */
export async function withProductGroups<T extends Observed>(
  store: ConnectedStore,
  observed: readonly T[],
): Promise<readonly T[]> {
  const { site, connector } = store;
  if (!connector.productGroups || !asksForProducts(site)) return observed;
  const orders = observed.flatMap(({ mapping }) =>
    mapping.result === 'order' ? mapping.order : [],
  );
  if (orders.length === 0) return observed;
  const stored = await readStored(store, orders);
  const storedOf = (order: StoreOrder, item: Item) =>
    stored.get(order.external_id)?.get(String(item.product_id));
  const missing = orders.flatMap((order) =>
    order.items.flatMap((item) => (storedOf(order, item) ? [] : String(item.product_id))),
  );
  const read = await groupsOf(store, new Set(missing));
  return observed.map((one) => {
    if (one.mapping.result !== 'order') return one;
    const { order } = one.mapping;
    const items = order.items.map((item) => ({
      ...item,
      ...(storedOf(order, item) ?? read.get(String(item.product_id))),
    }));
    return { ...one, mapping: { ...one.mapping, order: { ...order, items } } };
  });
}

/** The groups in the stored versions of orders, by the store's id and the product. */
async function readStored(
  store: ConnectedStore,
  orders: readonly StoreOrder[],
): Promise<Map<string, Map<string, Groups>>> {
  const ids = orders.map(({ external_id }) => external_id);
  const known = await readKnownVersions(store, ids);
  return new Map(
    [...known].map(([id, { items }]) => {
      const groups = items.flatMap(({ product_id, category_ids, tag_ids, other_ids }) =>
        category_ids && tag_ids
          ? [
              [
                String(product_id),
                { category_ids, tag_ids, ...(other_ids && { other_ids }) },
              ] as const,
            ]
          : [],
      );
      return [id, new Map(groups)];
    }),
  );
}

/** The groups of products as the store has them now, or had them within the hour. */
async function groupsOf(
  store: ConnectedStore,
  ids: ReadonlySet<string>,
): Promise<ReadonlyMap<string, Groups>> {
  const { site, connection } = store;
  const { products } = memoryOf(site);
  const keyOf = (id: string) => `${connection.id} ${id}`;
  const nowMs = site.clock();
  const due = [...ids].filter((id) => !(nowMs - (products.get(keyOf(id))?.readMs ?? 0) < KEPT_MS));
  const found = new Map<string, Product>();
  for (let i = 0; i < due.length; i += TOGETHER) {
    const asked = due.slice(i, i + TOGETHER);
    const answer = await readGroups(store, asked);
    if (!answer) break;
    for (const id of asked) found.set(id, answer.get(id) ?? UNKNOWN);
  }
  for (const [id, product] of found) products.set(keyOf(id), { ...product, readMs: nowMs });
  for (const id of ids) {
    // What could not be read again is likely still right.
    const known = found.has(id) ? undefined : products.get(keyOf(id));
    if (known) found.set(id, known);
  }
  await learnGoodsNames(
    site,
    [...found.values()].flatMap(({ names }) => names),
  );
  return new Map([...found].map(([id, { groups }]) => [id, groups]));
}

/** The store has no such product any more. */
const UNKNOWN: Product = { groups: { category_ids: [], tag_ids: [] }, names: [] };

/** Undefined if the store does not answer. */
async function readGroups(
  store: ConnectedStore,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Product> | undefined> {
  const { site, connector, connection } = store;
  const { failedMs } = memoryOf(site);
  const isPaused = site.clock() - (failedMs.get(connection.id) ?? 0) < PAUSE_MS;
  if (isPaused || !hasCredentials(connection)) return undefined;
  try {
    const groups = await askConnected(store, (api) => connector.productGroups!(api, ids));
    return new Map(
      [...groups].map(([id, { categories, tags, otherIds = [], names = [] }]) => [
        id,
        {
          names,
          groups: {
            category_ids: storableIds(categories),
            tag_ids: storableIds(tags),
            ...(otherIds.length > 0 && { other_ids: storableIds(otherIds) }),
          },
        },
      ]),
    );
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    failedMs.set(connection.id, site.clock());
    limitedLogOf(site).warn(
      `store products ${connection.id} ${error.message}`,
      { connection: connection.id, reason: error.message },
      'categories and tags of products could not be read, so orders were taken without',
    );
    return undefined;
  }
}
