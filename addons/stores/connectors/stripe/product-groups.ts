import { storableIds } from '../../mapping/order-limits.ts';
import { objectOf, objectsOf, textOf, type Json } from '../../mapping/payload.ts';
import type { StoreOrder } from '../connector.ts';
import { idOf, type Purchase } from './purchase.ts';

type Groups = Pick<StoreOrder['items'][number], 'category_ids' | 'tag_ids'>;

/**
 * Stripe has no categories and tags. A store can name them in `category` and `tags` of the metadata of a price or a
 * product, separated by commas. An invoice has its prices only in its subscription.
 */
export function groupsByProduct({ lines, subscription }: Purchase): ReadonlyMap<string, Groups> {
  const items = objectsOf(objectOf(subscription?.['items'])['data']);
  const groups = new Map<string, Groups>();
  for (const { price } of [...lines, ...items]) {
    const { product, metadata } = objectOf(price);
    const id = idOf(product);
    const own = objectOf(objectOf(product)['metadata']);
    const found = groupsIn([objectOf(metadata), own]);
    if (id !== undefined && found) groups.set(id, found);
  }
  return groups;
}

function groupsIn(metadata: readonly Json[]): Groups | undefined {
  const named = (name: string) =>
    storableIds(
      metadata.flatMap((each) =>
        (textOf(each[name]) ?? '').split(',').map((entry) => entry.trim()),
      ),
    );
  const [category_ids, tag_ids] = [named('category'), named('tags')];
  return category_ids.length + tag_ids.length === 0 ? undefined : { category_ids, tag_ids };
}
