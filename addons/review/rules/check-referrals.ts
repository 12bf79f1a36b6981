import type { Site } from '../../../src/kernel/declare/site.ts';
import type {
  NewReferral,
  PreparedOrder,
  PrepareReferralCheck,
} from '../../../src/modules/orders/index.ts';
import type { Hit } from '../cases/hit.ts';
import type { Finding } from '../cases/open-case.ts';
import { judgesOf, verdictBy, type ReferralToJudge } from '../extension.ts';
import { pendingCases } from '../hold/pending-cases.ts';
import { restraintsOf } from '../hold/restraints.ts';
import { REVIEW, rulesNow } from '../settings.ts';
import type { Look } from './look.ts';
import { orderRules, readFacts } from './order-rules.ts';

const nothing: Awaited<ReturnType<PrepareReferralCheck>> = () => undefined;

/** Has the rules and extensions look at new referrals, and holds or voids what they find. */
export const checkReferrals: PrepareReferralCheck = async (tx, site, scope) => {
  const options = rulesNow(site);
  const rules = orderRules.filter(({ name }) => options[name].action !== 'off');
  const judges = judgesOf(site);
  const isOff = !site.registry.isOn(REVIEW);
  if (isOff || (rules.length === 0 && judges.length === 0)) return nothing;
  const facts = await readFacts(tx, site, options, scope);
  return (order, referral, ownerEmail, nowMs) => {
    const { order_id, coupon_id, user_id: userId } = referral;
    const find = (action: Finding['action'], hit: Omit<Hit, 'at'>) => {
      const finding: Finding = {
        hit: { ...hit, at: nowMs },
        action,
        subject: { type: 'order', id: order_id },
        userId,
        referral: { order_id, coupon_id },
      };
      tx.pending(pendingCases).findings.push({ site, finding, nowMs });
      if (action !== 'note') restraintsOf(tx).add(referral, restraintOf[action]);
    };
    const at: Look = { order, referral, ownerEmail, options, facts, site };
    for (const { name, look } of rules) {
      const found = look(at);
      if (!found) continue;
      const { figures, isDoubtful = false } = found;
      // Inactive rules were left out.
      const action = options[name].action as Finding['action'];
      find(isDoubtful && action === 'reject' ? 'hold' : action, { rule: name, figures });
    }
    for (const judge of judges) {
      const verdict = verdictBy(judge, site, toJudge(site, order, referral));
      if (!verdict) continue;
      find(verdict.action, { rule: 'extension', figures: { reason: verdict.reason } });
    }
    facts.known.add(userId);
  };
};

const restraintOf = { hold: 'held', reject: 'rejected' } as const;

/** An object of its own for each extension: none can change what the next one sees. */
function toJudge(site: Site, order: PreparedOrder, referral: NewReferral): ReferralToJudge {
  const { currency } = site;
  return {
    order_id: order.orderId,
    user_id: referral.user_id,
    coupon_id: referral.coupon_id,
    click_id: referral.click_id,
    store_id: order.storeId,
    placed_at: order.placedAtMs,
    status: order.status,
    total: currency.toMajor(order.total),
    discount: currency.toMajor(order.discount),
    currency: currency.code,
    country: order.country,
    mail_domain: order.mailDomain,
  };
}
