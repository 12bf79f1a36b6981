import type { Site } from '../../kernel/declare/site.ts';
import { storedSetting, storeSettings } from '../settings/index.ts';
import { goodsNameSettings, goodsNamesOf, GOODS_NAME_MAX } from './goods-names.ts';
import { activeRules, type RuleList } from './rules.ts';
import type { Goods } from './sentence-parts.ts';

/** A name that a store gives to an id. */
export interface NamedGoods {
  readonly kind: Goods;
  readonly id: string;
  readonly name: string;
}

const BY_THE_SERVICE = 0;

type Ids = Readonly<Record<Goods, ReadonlySet<string>>>;

/** Every order of a store asks, and the list stays the same until it is changed. */
const namedBy = new WeakMap<RuleList, Ids>();

function idsIn(list: RuleList): Ids {
  let ids = namedBy.get(list);
  if (!ids) {
    const all = (kind: Goods) => new Set(list.rules.flatMap(({ what }) => what[kind] ?? []));
    ids = { products: all('products'), categories: all('categories'), tags: all('tags') };
    namedBy.set(list, ids);
  }
  return ids;
}

/** Stores names of what active rules name and that has none. A store that is read often changes nothing. */
export async function learnGoodsNames(site: Site, found: readonly NamedGoods[]): Promise<void> {
  const ids = idsIn(await activeRules(site));
  const known = goodsNamesOf(site);
  const learned = found.filter(
    ({ kind, id, name }) => ids[kind].has(id) && name !== '' && known(kind, id) === id,
  );
  if (learned.length === 0) return;
  await site.database.transaction(async (tx) => {
    await tx.lock('settings');
    const values = [];
    for (const [kind, named] of Map.groupBy(learned, (one) => one.kind)) {
      const setting = goodsNameSettings[kind];
      const added = named.map(({ id, name }): [string, string] => [
        id,
        name.slice(0, GOODS_NAME_MAX),
      ]);
      // Another process may have stored some since.
      const value = { ...Object.fromEntries(added), ...(await storedSetting(tx, site, setting)) };
      values.push({ setting, value });
    }
    await storeSettings(tx, site, values, { userId: BY_THE_SERVICE, nowMs: site.clock() });
  });
}
