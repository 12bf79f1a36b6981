import type { Changing } from './owner-list.ts';
import type { NewRule } from './rules.ts';
import { rewardRules, UNSAVED } from './rules.ts';

/** A rule at the version that it was added with. */
export interface AddedRule {
  readonly id: number;
  readonly version: number;
}

/** Adds rules that were checked, after the others, with one version of the list. No affiliate gets a mail about them. */
export async function addRules(by: Changing, rules: readonly NewRule[]): Promise<AddedRule[]> {
  if (rules.length === 0) return [];
  const list = await rewardRules.open(by);
  rewardRules.requireRoom(list, rules.length);
  const version = list.next;
  let position = list.stored.at(-1)?.position ?? 0;
  const added: AddedRule[] = [];
  for (const rule of rules) {
    position += 1;
    const { item } = await rewardRules.insert(by, {
      item: { id: UNSAVED, ...rule },
      position,
      version,
    });
    added.push({ id: item.id, version });
  }
  await rewardRules.finishSilently(by, list);
  return added;
}

/** Removes rules that are as they were added; one that was changed since stays. Returns the ids of both kinds. */
export async function removeRules(
  by: Changing,
  added: readonly AddedRule[],
): Promise<{ removed: number[]; changed: number[] }> {
  if (added.length === 0) return { removed: [], changed: [] };
  const list = await rewardRules.open(by);
  const versions = new Map(added.map(({ id, version }) => [id, version]));
  const own = list.stored.filter(({ item }) => versions.has(item.id));
  const unchanged = own.filter(({ item, version }) => versions.get(item.id) === version);
  for (const one of unchanged) await rewardRules.delete(by, one);
  if (unchanged.length > 0) await rewardRules.finishSilently(by, list);
  const idOf = ({ item }: (typeof own)[number]) => item.id;
  return {
    removed: unchanged.map(idOf),
    changed: own.filter((one) => !unchanged.includes(one)).map(idOf),
  };
}
