import type { Transaction } from '../../db/database.ts';
import type { ApiError } from '../../kernel/declare/errors.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { TurnBudget } from '../../shared/turn-budget.ts';
import type { RuleList } from '../rewards/index.ts';
import type { Attribution } from './attribution/attribution.ts';
import type { Subscriptions } from './attribution/subscriptions.ts';
import { decideOrders, type OrderDecisions } from './commission/decide-orders.ts';
import { saveLimited } from './commission/fact-rows.ts';
import { commissionWithoutSteps } from './commission/plain-commission.ts';
import { isCounted, orderColumns, ratesText, referralState } from './commission/referral-terms.ts';
import { storeTerms, type Terms } from './commission/terms.ts';
import { beginCrediting } from './credit-orders.ts';
import type { CreditedOrder, CreditedReferral } from './credited-referral.ts';
import type { IncomingOrder, StoredOrder } from './incoming-order.ts';
import { removeReferral, saveOrder, type OrderRow, type ReferralRow } from './order-rows.ts';
import { refusalOf } from './orders-of-stores.ts';
import { waitForDecision } from './resettle/waiting-rows.ts';
import type { ReferralCheck } from './restraints.ts';
import type { Settlement } from './settle-referral.ts';
import type { DraftReferral } from './several-affiliates.ts';
import { isUnchanged, toRow, withKnownRate } from './store-order.ts';

interface IngestParts {
  readonly list: RuleList;
  readonly subscriptions: Subscriptions;
  readonly attribution: Attribution;
  readonly terms: Map<string, Terms>;
  readonly settlement: Settlement;
  readonly stores: ReadonlyMap<number, string>;
  readonly checks: readonly ReferralCheck[];
}

interface StoredBefore {
  readonly known: ReadonlyMap<number, OrderRow>;
  readonly referrals: readonly ReferralRow[];
}

/** A version that changes something, on its way through the steps. */
interface Version extends CreditedOrder {
  readonly incoming: IncomingOrder;
  /** Whether it counts now. It is decided if it does, or has counted before. */
  readonly counts: boolean;
}

/**
 * The orders of one transaction, oldest first: store, credit, decide, post. Each step sees
 * what the orders before have changed; between the steps, what the next one asks is read for all orders at once.
 */
export async function storeAndDecide(
  tx: Transaction,
  site: Site,
  parts: IngestParts,
  stored: StoredBefore,
  { orders, isOne }: { orders: readonly IncomingOrder[]; isOne: boolean },
) {
  const { subscriptions, attribution, settlement } = parts;
  const referralsOf = Map.groupBy(stored.referrals, (referral) => referral.order_id);
  const crediting = beginCrediting(site, parts);
  /** Payments of subscriptions whose first payment was credited now. */
  const renewals = new Set<number>();

  /** Stores a version and credits it; the result for one that changes nothing or is refused. */
  function store(sent: IncomingOrder): Version | StoredOrder | ApiError {
    const known = stored.known.get(sent.order.orderId);
    const order = withKnownRate(site, sent.order, known);
    const incoming = order === sent.order ? sent : { ...sent, order };
    const { context, again } = incoming;
    const before = referralsOf.get(order.orderId) ?? [];
    const refusal = refusalOf(order, known, parts.stores);
    if (refusal) return refusal;
    if (known && !again && isUnchanged(incoming, known)) {
      const isNewVersion = false;
      return { isNew: false, isChanged: false, isNewVersion, order: known, referrals: before };
    }
    const decidedAt = known?.decided_at ?? null;
    const waits = incoming.isHistory === true && decidedAt === null;
    const isCounting = isCounted(site, order.status);
    const counts = isCounting && !waits;
    const isDecided = counts || decidedAt !== null;
    const row = toRow(
      order,
      known,
      context.nowMs,
      counts ? (decidedAt ?? context.nowMs) : decidedAt,
    );
    if (!again || row.decided_at !== decidedAt) saveOrder(tx, row, { isNew: !known });
    if (waits && isCounting) waitForDecision(tx, site, order, context.nowMs);
    const credited = crediting.credit({ order, known, before, counts });
    if (isDecided) crediting.record(tx, order, credited);
    const version = { incoming, order, known, before, row, counts, isDecided, credited };
    notePayment(version);
    return version;
  }

  function notePayment({ order, known, counts, credited }: Version): void {
    if (known && known.decided_at !== null) subscriptions.leave(tx, order, known);
    const wasPaid = order.subscription !== null && subscriptions.isPaid(order);
    subscriptions.noteStatus(order);
    if (!counts || !order.subscription) return;
    subscriptions.note(tx, order);
    // It credits its renewals when it is learned, or counts again, and when it is credited later.
    const credits = ({ kept, row }: CreditedReferral) => row.dropped === 0 && !(kept && wasPaid);
    if (!credited.some(credits)) return;
    for (const id of subscriptions.renewalsOf(order)) renewals.add(id);
  }

  function decide(decisions: OrderDecisions, version: Version): StoredOrder {
    const { order, known, row } = version;
    attribution.emitChanges(tx, order, version.incoming.context.nowMs);
    const posted: ReferralRow[] = [];
    // Each is posted before the next one is decided.
    for (const draft of decisions.decide(version)) {
      posted.push(post(decisions, version, draft));
    }
    const all = posted.sort((a, b) => a.coupon_id - b.coupon_id);
    const referrals = isEstimate(known) ? all.filter(({ dropped }) => dropped === 0) : all;
    const isNewVersion = !known || known.modified_at !== row.modified_at;
    return { isNew: !known, isChanged: true, isNewVersion, order: row, referrals };
  }

  function post(decisions: OrderDecisions, version: Version, draft: DraftReferral): ReferralRow {
    const { incoming, order, counts, isDecided } = version;
    const { context, again = { grants: true } } = incoming;
    const { previous, row, terms, credited } = draft;
    // A change of the order does not concern a coupon that was removed from it earlier.
    if (previous?.dropped && row.dropped) return previous;
    const { amount, base, byRule } = commissionWithoutSteps(order, terms);
    const { dropped } = row;
    const state = referralState(site, order.status, {
      terms,
      dropped,
      previous: settlement.free(previous),
      counts,
      grants: again.grants,
    });
    const columns = orderColumns(order, { state, counted: counts && !dropped, commission: amount });
    const next = { ...row, ...columns, rates: ratesText(previous, terms) };
    if (!credited.kept) storeTerms(tx, site, credited.terms!);
    if (isDecided && !credited.kept && !terms.self) {
      const { renews, ownerEmail } = credited;
      for (const check of parts.checks) {
        check(order, { ...next, renews }, ownerEmail, context.nowMs);
      }
    }
    const after = settlement.settle(previous, next, base, context);
    for (const limited of decisions.note(version, draft, after, byRule)) {
      saveLimited(tx, limited);
    }
    if (dropped && isEstimate(version.known)) removeReferral(tx, after);
    return after;
  }

  const turn = new TurnBudget();
  const versions: (Version | StoredOrder | ApiError)[] = [];
  for (const one of orders) {
    if (turn.isUsed) await turn.next();
    versions.push(store(one));
  }
  const changed = versions.filter((one) => 'credited' in one);
  const locks = isOne && changed.some(({ counts }) => counts);
  const decisions = await decideOrders(tx, changed, {
    lock: locks ? (key) => tx.lock(key) : undefined,
  });
  const results: (StoredOrder | ApiError)[] = [];
  for (const one of versions) {
    if (turn.isUsed) await turn.next();
    results.push('credited' in one ? decide(decisions, one) : one);
  }
  return { results, renewals };
}

/** Whether nothing about an order was decided before: what it was credited to then leaves nothing behind. */
function isEstimate(known: OrderRow | undefined): boolean {
  return known === undefined || known.decided_at === null;
}
