import type { Reader } from '../../db/database.ts';
import { readByNumbers } from '../../db/statements/calls.ts';
import { Point } from '../../kernel/declare/point.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { selectAffiliates } from '../affiliates/index.ts';
import { goodsNamesOf } from './goods-names.ts';
import type { RewardRule } from './rule.ts';
import type { OwnNames, RuleNames } from './sentence-parts.ts';

/** The names of those of the stores that are still connected, by id. */
export type NameStores = (db: Reader, ids: readonly number[]) => Promise<Map<number, string>>;

/** Add-ons that connect stores contribute the names of their stores. */
export const connectedStores = new Point<NameStores>('connected stores');

interface Named {
  id: number;
  name: string;
}

const groups = readByNumbers<Named>((db, isKey) =>
  db.selectFrom('groups').select(['id', 'name']).where(isKey('id')),
);

const coupons = readByNumbers<Named>((db, isKey) =>
  db.selectFrom('coupons').select(['id', 'code as name']).where(isKey('id')),
);

const affiliates = readByNumbers<Named & { login: string }>((db, isKey) =>
  selectAffiliates(db)
    .select(['users.id', 'users.display_name as name', 'users.login'])
    .where(isKey('users.id')),
);

/** What a rule may name by an id of its own, and where the ids are. */
const places = {
  groups: ['who.groups', ({ who }) => who?.groups],
  affiliates: ['who.affiliates', ({ who }) => who?.affiliates],
  coupons: ['who.coupons', ({ who }) => who?.coupons],
  stores: ['order.stores', ({ order }) => order?.stores],
} satisfies Record<keyof OwnNames, [string, (rule: Naming) => readonly number[] | undefined]>;

/** The parts of a rule that name something. */
type Naming = Partial<Pick<RewardRule, 'who' | 'order'>>;

/** The names of everything that the rules refer to. What was deleted has none. */
export async function readNames(
  db: Reader,
  site: Site,
  rules: readonly Naming[],
): Promise<RuleNames> {
  const ids = (kind: keyof OwnNames) => [
    ...new Set(rules.flatMap((rule) => places[kind][1](rule) ?? [])),
  ];
  const named = (rows: readonly Named[]) => new Map(rows.map(({ id, name }) => [id, name]));
  const people = await affiliates(db, ids('affiliates'));
  return {
    groups: named(await groups(db, ids('groups'))),
    affiliates: named(people.map(({ id, name, login }) => ({ id, name: name || login }))),
    coupons: named(await coupons(db, ids('coupons'))),
    stores: await nameStores(db, site, ids('stores')),
    goods: goodsNamesOf(site),
  };
}

export async function nameStores(
  db: Reader,
  site: Site,
  ids: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  const names = new Map<number, string>();
  if (ids.length === 0) return names;
  for (const namesOf of site.registry.contributions(connectedStores)) {
    for (const [id, name] of await namesOf(db, ids)) names.set(id, name);
  }
  return names;
}

/** What a rule names and no longer exists. */
export function missingIn(rule: Naming, names: OwnNames): { field: string; id: number }[] {
  // The keys are those of the object above.
  const kinds = Object.keys(places) as (keyof OwnNames)[];
  return kinds.flatMap((kind) => {
    const [field, idsOf] = places[kind];
    return (idsOf(rule) ?? []).flatMap((id, i) =>
      names[kind].has(id) ? [] : [{ field: `${field}[${i}]`, id }],
    );
  });
}
