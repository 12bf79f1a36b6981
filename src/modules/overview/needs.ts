import type { Reader } from '../../db/database.ts';
import type { Caller } from '../../kernel/declare/caller.ts';
import { isPluginAdmin } from '../../kernel/declare/caller.ts';
import { Point } from '../../kernel/declare/point.ts';
import type { Site } from '../../kernel/declare/site.ts';

/** How much there is to do. */
export interface NeedSize {
  readonly count: number;
  /** In minor units, where the need is about money. */
  readonly amount?: number;
}

/** Something that waits for the team of the store. Each is one indexed query, because every overview asks all. */
export interface Need {
  /** `payouts_to_review`; the web app has words for the known ones. */
  readonly name: string;
  /** What waits, in English. */
  readonly title: string;
  /** The roles that can act on it: managers and administrators, or administrators only. */
  readonly access: 'admin' | 'plugin-admin';
  read(db: Reader, site: Site, nowMs: number): Promise<NeedSize>;
}

export const needs = new Point<Need>('overview.needs');

/** What waits now, without what the caller cannot act on. */
export async function openNeeds(db: Reader, site: Site, caller: Caller, nowMs: number) {
  const own = site.registry
    .contributions(needs)
    .filter(({ access }) => access === 'admin' || isPluginAdmin(caller));
  const sizes = await Promise.all(own.map((need) => need.read(db, site, nowMs)));
  return own.flatMap(({ name, title }, i) => {
    const { count, amount } = sizes[i]!;
    if (count === 0) return [];
    return [
      { name, title, count, amount: amount === undefined ? null : site.currency.toMajor(amount) },
    ];
  });
}
