import { BoundedMap } from '../../../../shared/bounded-map.ts';
import type { ProductGroups, StoreApi } from '../connector.ts';
import type { Json } from '../../mapping/payload.ts';
import { readAll, readPage } from './client.ts';
import { idIn, listIn } from './payload.ts';

const STORES_MAX = 1_000;
const KEPT_MS = 60 * 60_000;
/** Categories above a category; more would be a circle. */
const DEPTH_MAX = 20;

/** The categories of a store by id. */
type Tree = ReadonlyMap<string | undefined, Json>;

const trees = new BoundedMap<string, { readonly tree: Tree; readonly readMs: number }>(STORES_MAX);

/**
 * A product is also in the categories above its own, as with WooCommerce's own coupons. Each group has its id and its
 * slug, which an owner sees in the administration.
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
        categories: listIn(product, 'categories').flatMap((category) =>
          [category, ...above(category, tree)].flatMap(namesOf),
        ),
        tags: listIn(product, 'tags').flatMap(namesOf),
      },
    ]),
  );
}

async function readProducts(store: StoreApi, ids: readonly string[]): Promise<Json[]> {
  const products: Json[] = [];
  for (let page = 1, isLast = false; !isLast; page++) {
    const query = { include: ids.join(','), status: 'any', _fields: 'id,categories,tags', page };
    const found = await readPage(store, '/products', query);
    products.push(...found.items);
    isLast = found.isLast;
  }
  return products;
}

async function treeOf(store: StoreApi): Promise<Tree> {
  const known = trees.get(store.url);
  if (known && store.nowMs - known.readMs < KEPT_MS) return known.tree;
  const categories = await readAll(store, '/products/categories', { _fields: 'id,slug,parent' });
  const tree = new Map(categories.map((category) => [idIn(category), category]));
  trees.set(store.url, { tree, readMs: store.nowMs });
  return tree;
}

function above(category: Json, tree: Tree): Json[] {
  const found: Json[] = [];
  let next = tree.get(idIn(tree.get(idIn(category)) ?? {}, 'parent'));
  for (let depth = 0; next && depth < DEPTH_MAX; depth++) {
    found.push(next);
    next = tree.get(idIn(next, 'parent'));
  }
  return found;
}

/** A slug of digits could be the id of another group. */
function namesOf(group: Json): string[] {
  const slug = String(group['slug'] ?? '');
  return [idIn(group) ?? '', /^\d*$/.test(slug) ? '' : slug].filter((name) => name !== '');
}
