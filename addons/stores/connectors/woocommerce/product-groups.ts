import type { NamedGoods } from '../../../../src/modules/rewards/index.ts';
import { BoundedMap } from '../../../../src/shared/bounded-map.ts';
import { objectOf, type Json } from '../../mapping/payload.ts';
import type { ProductGroups, StoreApi } from '../connector.ts';
import { readAll, readPage } from './client.ts';
import { decoded, idIn, listIn } from './payload.ts';

const STORES_MAX = 1_000;
const KEPT_MS = 60 * 60_000;
/** The categories of a store that are the same, by the id of each: with WPML or Polylang, the original and its translations. */
type Tree = ReadonlyMap<string, readonly Json[]>;

const trees = new BoundedMap<string, { readonly tree: Tree; readonly readMs: number }>(STORES_MAX);

/**
 * A product is also in the categories above its own, as with WooCommerce's own coupons, and in those that are
 * translations of one of them. Each group has its id and its slug, which an owner sees in the administration.
 */
export async function productGroups(
  store: StoreApi,
  productIds: readonly string[],
): Promise<ReadonlyMap<string, ProductGroups>> {
  const products = await readProducts(store, productIds);
  const hasCategories = products.some((product) => listIn(product, 'categories').length > 0);
  const tree: Tree = hasCategories ? await treeOf(store) : new Map();
  return new Map(
    products.map((product) => [
      idIn(product) ?? '',
      {
        otherIds: [...sameIds(product)].filter((id) => id !== idIn(product)),
        ...groupsOf(product, tree),
      },
    ]),
  );
}

function groupsOf(product: Json, tree: Tree): Omit<ProductGroups, 'otherIds'> {
  const categories = withAbove(listIn(product, 'categories'), tree);
  const tags = listIn(product, 'tags');
  return {
    categories: categories.flatMap(idsOf),
    tags: tags.flatMap(idsOf),
    names: [
      ...named('products', product),
      ...categories.flatMap((category) => named('categories', category)),
      ...tags.flatMap((tag) => named('tags', tag)),
    ],
  };
}

function named(kind: NamedGoods['kind'], thing: Json): NamedGoods[] {
  const name = decoded(String(thing['name'] ?? '')).trim();
  const ids = kind === 'products' ? [idIn(thing) ?? ''] : idsOf(thing);
  return ids.map((id) => ({ kind, id, name }));
}

async function readProducts(store: StoreApi, ids: readonly string[]): Promise<Json[]> {
  const products = await listProducts(store, ids);
  const found = new Set(products.map((product) => idIn(product)));
  const missing = ids.filter((id) => !found.has(id));
  if (missing.length === 0) return products;
  // WPML lists products of the first language only, unless the request names all.
  return [...products, ...(await listProducts(store, missing, { lang: 'all' }))];
}

const FIELDS = 'id,name,categories,tags,translations';

async function listProducts(
  store: StoreApi,
  ids: readonly string[],
  more: Readonly<Record<string, string>> = {},
): Promise<Json[]> {
  const products: Json[] = [];
  for (let page = 1, isLast = false; !isLast; page++) {
    const about = { include: ids.join(','), status: 'any', _fields: FIELDS, page };
    const found = await readPage(store, '/products', { ...about, ...more });
    products.push(...found.items);
    isLast = found.isLast;
  }
  return products;
}

async function treeOf(store: StoreApi): Promise<Tree> {
  const known = trees.get(store.url);
  if (known && store.nowMs - known.readMs < KEPT_MS) return known.tree;
  const categories = await readAll(store, '/products/categories', {
    _fields: 'id,name,slug,parent,translations',
  });
  const tree = new Map<string, Json[]>();
  for (const category of categories) {
    for (const id of sameIds(category)) tree.set(id, [...(tree.get(id) ?? []), category]);
  }
  trees.set(store.url, { tree, readMs: store.nowMs });
  return tree;
}

/** The ids of a product or a category and of its translations, which these plugins list by language. */
function sameIds(thing: Json): Set<string> {
  const translations = objectOf(thing['translations']);
  const ids = Object.keys(translations).map((language) => idIn(translations, language));
  return new Set([idIn(thing), ...ids].filter((id) => id !== undefined));
}

function withAbove(categories: readonly Json[], tree: Tree): Json[] {
  const found: Json[] = [];
  const seen = new Set<string | undefined>();
  const add = (category: Json) => {
    const id = idIn(category);
    if (id === undefined || seen.has(id)) return;
    seen.add(id);
    const same = tree.get(id) ?? [];
    found.push(category, ...same);
    for (const one of same) add({ id: idIn(one, 'parent') });
  };
  categories.forEach(add);
  return found;
}

/** A slug of digits could be the id of another group. */
function idsOf(group: Json): string[] {
  const slug = String(group['slug'] ?? '');
  return [idIn(group) ?? '', /^\d*$/.test(slug) ? '' : slug].filter((id) => id !== '');
}
