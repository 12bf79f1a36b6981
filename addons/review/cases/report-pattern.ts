import type { Transaction } from '../../../src/db/database.ts';
import type { Site } from '../../../src/kernel/declare/site.ts';
import { lockManyOrders } from '../../../src/modules/orders/index.ts';
import { DAY_MS } from '../../../src/shared/durations.ts';
import { mailCase } from '../review-mails.ts';
import type { PatternName } from '../rules/rules.ts';
import { findCase, listRecentCases } from './case-rows.ts';
import { hitsOf, type Hit } from './hit.ts';
import { openOrJoin } from './open-case.ts';

/** As long as its history remembers it: a pattern that goes on is no news. */
const QUIET_DAYS = 28;

/** What a rule has seen in the days of an affiliate. */
export interface Pattern {
  readonly rule: PatternName;
  readonly action: 'note' | 'hold';
  readonly userId: number;
  readonly figures: Hit['figures'];
}

/**
 * Opens a case about an affiliate, or joins the open one: once in 28 days for each rule, and at most once a day while the
 * case is open. A case that holds new orders is opened between orders, so that each comes before or after it.
 */
export async function reportPattern(
  tx: Transaction,
  site: Site,
  { rule, action, userId, figures }: Pattern,
): Promise<void> {
  await lockManyOrders(tx);
  const nowMs = site.clock();
  const about = { subject_type: 'affiliate' as const, subject_id: String(userId) };
  const recent = await listRecentCases(tx, { ...about, since: nowMs - QUIET_DAYS * DAY_MS });
  const today = site.calendar.dayOf(nowMs);
  const isKnown = recent.some(({ state, rule: opened, evidence }) => {
    const hits = hitsOf(evidence).filter((hit) => hit.rule === rule);
    if (state !== 'open') return opened === rule || hits.length > 0;
    return hits.some(({ at }) => site.calendar.dayOf(at) === today);
  });
  if (isKnown) return;
  const holdsNew = action === 'hold';
  const finding = {
    hit: { rule, at: nowMs, figures },
    action,
    subject: { type: 'affiliate' as const, id: userId },
    userId,
    holdsNew,
  };
  const { id, beginsToHold } = await openOrJoin(tx, site, finding, nowMs);
  if (beginsToHold) {
    await mailCase(tx, site, (await findCase(tx, { id }))!, nowMs);
  }
}
