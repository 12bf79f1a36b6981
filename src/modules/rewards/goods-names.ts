import Type from 'typebox';
import { defineManagerSetting } from '../../kernel/declare/setting.ts';
import type { Site } from '../../kernel/declare/site.ts';
import type { Goods, GoodsNames } from './sentence-parts.ts';

export const GOODS_NAME_MAX = 100;
const Names = Type.Record(
  Type.String({ pattern: `^.{1,${GOODS_NAME_MAX}}$` }),
  Type.String({ minLength: 1, maxLength: GOODS_NAME_MAX }),
  { maxProperties: 10_000 },
);

const namesOf = (one: string) =>
  defineManagerSetting(
    `rewards.${one}_names`,
    Names,
    {},
    `What sentences of reward rules say instead of the id of a ${one}. Connected stores add the names of what the rules name; those that are here stay.`,
  );

export const goodsNameSettings = {
  products: namesOf('product'),
  categories: namesOf('category'),
  tags: namesOf('tag'),
} satisfies Record<Goods, unknown>;

/** An id without a name stays as it is. */
export function goodsNamesOf({ settings }: Pick<Site, 'settings'>): GoodsNames {
  return (kind, id) => {
    const names = settings.get(goodsNameSettings[kind]);
    return Object.hasOwn(names, id) ? names[id]! : id;
  };
}
