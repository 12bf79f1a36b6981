import { isDeepStrictEqual } from 'node:util';
import type { Site } from '../../kernel/declare/site.ts';
import { bonusSentence, OwnerList, type RewardBonus } from '../rewards/index.ts';
import { BONUSES_MAX, type BonusWire } from './bonus-schema.ts';
import { targetBegins } from './bonus-windows.ts';
import { checkBonus } from './check-bonus.ts';
import { addCheck } from './check-rows.ts';

/** By then every instance has the new version of the list, and notes which counters move. */
const KNOWN_EVERYWHERE_MS = 60_000;

export const bonusList = new OwnerList<RewardBonus, BonusWire>({
  table: 'reward_bonuses',
  key: 'bonuses',
  many: 'bonuses',
  noun: 'bonus',
  title: 'Bonus',
  version: 'rewards.bonuses_version',
  max: BONUSES_MAX,
  tooMany: 'svc_api_too_many_bonuses',
  events: {
    prefix: 'bonus.',
    object: 'bonus',
    active: 'Whether the bonus is paid.',
    changed:
      'A bonus was changed. If it was only renamed, switched on or off, both sentences are the same.',
    removed: 'A bonus was deleted. What it has paid stays.',
    example: {
      id: 161,
      day: '2026-11-18',
      of: 3,
      before: 'The group Gold gets $50.00 for $1,000.00 of sales in a calendar month.',
      after: 'The group Gold gets $60.00 for $1,000.00 of sales in a calendar month.',
    },
  },
  check: ({ target, pays, once }, errors, site) => checkBonus({ target, pays, once }, errors, site),
  completed(given, before, site, nowMs) {
    const { target } = given;
    const endsNever = !target || !('window' in target) || /always|days/.test(target.window.kind);
    const once = endsNever ? 'ever' : 'window';
    // The schema and the check below leave only whole bonuses.
    const bonus = { active: true, who: {}, once, since: nowMs, ...given } as RewardBonus;
    return before ? { ...bonus, since: sinceOf(site, before, bonus, nowMs) } : bonus;
  },
  sentence: bonusSentence,
  shown: () => ({ since: undefined }),
  /** Has all affiliates checked: some may have reached a changed bonus already. */
  onChange(tx, site, nowMs) {
    const day = site.calendar.dayOf(nowMs);
    for (const due_at of [nowMs, nowMs + KNOWN_EVERYWHERE_MS]) {
      addCheck(tx, { kind: 'all', object_id: 0, day, due_at });
    }
  },
});

/** What active bonuses need of orders. */
export const activeBonuses = bonusList.remember(
  { hasActive: false, countsCustomers: false },
  (bonuses) => ({
    hasActive: bonuses.length > 0,
    countsCustomers: bonuses.some(({ target }) => 'by' in target && target.by === 'new_customers'),
  }),
);

/** Nothing is paid for windows that were over before the bonus had this target, or while it was inactive. */
function sinceOf(site: Site, before: RewardBonus, after: RewardBonus, nowMs: number): number {
  if (!isDeepStrictEqual(after.target, before.target))
    return targetBegins(site, after.target, nowMs);
  return before.active || !after.active ? before.since : Math.max(before.since, nowMs);
}
