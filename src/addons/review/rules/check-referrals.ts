import type { Transaction } from '../../../db/database.ts';
import { defineWrites, type PendingWrites } from '../../../db/unit-of-work.ts';
import type { Site } from '../../../kernel/declare/site.ts';
import type { PrepareReferralCheck } from '../../../modules/orders/index.ts';
import { findCase } from '../cases/case-rows.ts';
import { openOrJoin, type Finding } from '../cases/open-case.ts';
import { updateHeld } from '../hold/restraint-rows.ts';
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

  async flush(tx: Transaction): Promise<void> {
    const opened = new Map<number, PendingFinding>();
    for (const pending of this.list) {
      const { site, finding, nowMs } = pending;
      const { id, isNew } = await openOrJoin(tx, site, finding, nowMs);
      if (isNew && finding.action === 'hold') opened.set(id, pending);
    }
    const orders = this.list.map(({ finding }) => finding.referral?.order_id ?? 0);
    await updateHeld(tx, new Set(orders));
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

/** Has the rules look at new referrals, and holds or voids what they find. */
export const checkReferrals: PrepareReferralCheck = async (tx, site, scope) => {
  const options = rulesNow(site);
  const rules = orderRules.filter(({ name }) => options[name].action !== 'off');
  if (rules.length === 0) return nothing;
  const facts = await readFacts(tx, site, options, scope);
  return (order, referral, ownerEmail, nowMs) => {
    for (const { name, look } of rules) {
      const figures = look({ order, referral, ownerEmail, options, facts, site });
      if (!figures) continue;
      const { order_id, coupon_id, user_id: userId } = referral;
      // Inactive rules were left out.
      const action = options[name].action as Finding['action'];
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
