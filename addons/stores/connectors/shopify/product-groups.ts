import type { NamedGoods } from '../../../../src/modules/rewards/index.ts';
import { objectOf, objectsOf, textOf, type Json } from '../../mapping/payload.ts';
import type { ProductGroups, StoreApi } from '../connector.ts';
import { queryShopify } from './client.ts';

/** Shopify allows a query a cost of 1000; a product with its collections costs about 50. */
const TOGETHER = 15;

const QUERY = `query Products($ids: [ID!]!) {
  nodes(ids: $ids) {
    ... on Product {
      legacyResourceId
      title
      productType
      tags
      collections(first: 50) { nodes { legacyResourceId handle title } }
    }
  }
}`;

/** The categories of a product are its collections, by id and handle, and its type. */
export async function productGroups(
  store: StoreApi,
  productIds: readonly string[],
): Promise<ReadonlyMap<string, ProductGroups>> {
  // A line that is not a product of the store has another id.
  const ids = productIds.filter((id) => /^\d+$/.test(id));
  const groups = new Map<string, ProductGroups>();
  for (let i = 0; i < ids.length; i += TOGETHER) {
    const asked = ids.slice(i, i + TOGETHER).map((id) => `gid://shopify/Product/${id}`);
    const { nodes } = await queryShopify(store, QUERY, { ids: asked });
    for (const product of objectsOf(nodes)) {
      groups.set(textOf(product['legacyResourceId']) ?? '', groupsOf(product));
    }
  }
  return groups;
}

function groupsOf(product: Json): ProductGroups {
  const collections = objectsOf(objectOf(product['collections'])['nodes']);
  const names = collections.flatMap((each) => [each['legacyResourceId'], each['handle']]);
  const textsOf = (values: readonly unknown[]) => values.flatMap((value) => textOf(value) ?? []);
  const { tags } = product;
  const named = (kind: NamedGoods['kind'], { title }: Json, ids: readonly unknown[]) =>
    textsOf(ids).map((id) => ({ kind, id, name: textOf(title) ?? '' }));
  return {
    categories: textsOf([...names, product['productType']]),
    tags: Array.isArray(tags) ? textsOf(tags) : [],
    names: [
      ...named('products', product, [product['legacyResourceId']]),
      ...collections.flatMap((each) =>
        named('categories', each, [each['legacyResourceId'], each['handle']]),
      ),
    ],
  };
}
