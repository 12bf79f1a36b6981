import type { Transaction } from '../../../db/database.ts';
import { defineWrites, type PendingWrites } from '../../../db/unit-of-work.ts';
import type { Site } from '../../../kernel/declare/site.ts';
import type {
  NewReferral,
  PreparedOrder,
  PrepareReferralCheck,
} from '../../../modules/orders/index.ts';
import { findCase, findHoldingNew, type CaseRow } from '../cases/case-rows.ts';
import { hitsOf } from '../cases/hit.ts';
import { openOrJoin, type Finding } from '../cases/open-case.ts';
import { updateHeld } from '../hold/restraint-rows.ts';
import { restraintsOf } from '../hold/restraints.ts';
import { mailCase } from '../review-mails.ts';
import { rulesNow } from '../settings.ts';
import { orderRules, readFacts, type Facts } from './order-rules.ts';
import { ruleNames, type AllRuleOptions } from './rules.ts';

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
  const active = ruleNames.filter((name) => options[name].action !== 'off');
  const [facts, holding] = await Promise.all([
    readFacts(tx, site, options, scope),
    findHoldingNew(tx, [...scope.affiliateIds]),
  ]);
  if (active.length === 0 && holding.length === 0) return nothing;
  const ofAffiliate = new Map(holding.map((one) => [one.user_id, one]));
  return (order, referral, nowMs) => {
    const found = [
      ...findingsOf(order, referral, { site, options, facts, nowMs }),
      ...joining(ofAffiliate.get(referral.user_id), referral, nowMs),
    ];
    facts.known.add(referral.user_id);
    if (found.length === 0) return;
    const { list } = tx.pending(findings);
    for (const finding of found) list.push({ site, finding, nowMs });
    const actions = new Set(found.map(({ action }) => action));
    if (actions.has('reject')) restraintsOf(tx).set(referral, 'rejected');
    else if (actions.has('hold')) restraintsOf(tx).set(referral, 'held');
  };
};

interface Looking {
  readonly site: Site;
  readonly options: AllRuleOptions;
  readonly facts: Facts;
  readonly nowMs: number;
}

function* findingsOf(
  order: PreparedOrder,
  referral: NewReferral,
  { site, options, facts, nowMs }: Looking,
): Generator<Finding> {
  for (const { name, look } of orderRules) {
    const { action } = options[name];
    if (action === 'off') continue;
    const figures = look({ order, referral, options, facts, site });
    if (!figures) continue;
    yield {
      hit: { rule: name, at: nowMs, figures },
      action,
      subject: { type: 'order', id: order.orderId },
      userId: referral.user_id,
      referral: keyOf(referral),
    };
  }
}

/** A case that holds the new orders of an affiliate. */
function joining(
  open: CaseRow | undefined,
  referral: NewReferral,
  nowMs: number,
): readonly Finding[] {
  const last = open && hitsOf(open.evidence).at(-1);
  if (!open || !last) return [];
  const subject = { type: open.subject_type, id: open.subject_id };
  const hit = { ...last, at: nowMs };
  return [{ hit, action: 'hold', subject, userId: referral.user_id, referral: keyOf(referral) }];
}

function keyOf({ order_id, coupon_id }: NewReferral) {
  return { order_id, coupon_id };
}
