import type { Transaction } from '../../../db/database.ts';
import { defineWrites, type PendingWrites } from '../../../db/unit-of-work.ts';
import type { Site } from '../../../kernel/declare/site.ts';
import type { PrepareReferralCheck } from '../../../modules/orders/index.ts';
import { findCase, findHoldingCases } from '../cases/case-rows.ts';
import { openOrJoin, type Finding } from '../cases/open-case.ts';
import { insertHolds, updateHeld, type HoldRow } from '../hold/restraint-rows.ts';
import { restraintsOf } from '../hold/restraints.ts';
import { mailCase } from '../review-mails.ts';
import { rulesNow } from '../settings.ts';
import { orderRules, readFacts } from './order-rules.ts';

interface PendingFinding {
  readonly site: Site;
  readonly finding: Finding;
  readonly nowMs: number;
}

/** Findings about new orders: their cases are written after the referrals. */
class PendingFindings implements PendingWrites {
  readonly list: PendingFinding[] = [];
  /** What open cases about affiliates hold of their new orders. */
  readonly holds: HoldRow[] = [];

  async flush(tx: Transaction): Promise<void> {
    const opened = new Map<number, PendingFinding>();
    for (const pending of this.list) {
      const { site, finding, nowMs } = pending;
      const { id, isNew } = await openOrJoin(tx, site, finding, nowMs);
      if (isNew && finding.action === 'hold') opened.set(id, pending);
    }
    await tx.runMany(insertHolds, this.holds);
    const found = this.list.map(({ finding }) => finding.referral?.order_id ?? 0);
    const held = this.holds.map(({ order_id }) => order_id);
    await updateHeld(tx, new Set([...found, ...held]));
    for (const [id, { site, nowMs }] of opened) {
      await mailCase(tx, site, (await findCase(tx, { id }))!, nowMs);
    }
  }
}

const findings = defineWrites({
  name: 'review-findings',
  after: 'referrals',
  create: () => new PendingFindings(),
});

const nothing: Awaited<ReturnType<PrepareReferralCheck>> = () => undefined;

/**
 * Has the rules look at new referrals, and holds or voids what they find. An open case about an affiliate holds what
 * comes in: it is read under the lock of the orders, which a decision takes before it lists what the case holds.
 */
export const checkReferrals: PrepareReferralCheck = async (tx, site, scope) => {
  const options = rulesNow(site);
  const rules = orderRules.filter(({ name }) => options[name].action !== 'off');
  const [facts, holding] = await Promise.all([
    readFacts(tx, site, options, scope),
    findHoldingCases(tx, [...scope.affiliateIds]),
  ]);
  if (rules.length === 0 && holding.length === 0) return nothing;
  return (order, referral, ownerEmail, nowMs) => {
    for (const { id, user_id } of holding) {
      if (user_id !== referral.user_id) continue;
      const { order_id, coupon_id } = referral;
      tx.pending(findings).holds.push({ case_id: id, order_id, coupon_id });
      restraintsOf(tx).add(referral, 'held');
    }
    for (const { name, look } of rules) {
      const found = look({ order, referral, ownerEmail, options, facts, site });
      if (!found) continue;
      const { order_id, coupon_id, user_id: userId } = referral;
      const { figures, isDoubtful = false } = found;
      // Inactive rules were left out.
      const wanted = options[name].action as Finding['action'];
      const action = isDoubtful && wanted === 'reject' ? 'hold' : wanted;
      const finding: Finding = {
        hit: { rule: name, at: nowMs, figures },
        action,
        subject: { type: 'order', id: order_id },
        userId,
        referral: { order_id, coupon_id },
      };
      tx.pending(findings).list.push({ site, finding, nowMs });
      if (action !== 'note') restraintsOf(tx).add(referral, restraintOf[action]);
    }
    facts.known.add(referral.user_id);
  };
};

const restraintOf = { hold: 'held', reject: 'rejected' } as const;
