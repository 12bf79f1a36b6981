import type { Transaction } from '../../db/database.ts';
import type { ApiError } from '../../kernel/declare/errors.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { TurnBudget } from '../../shared/turn-budget.ts';
import type { RuleList } from '../rewards/index.ts';
import type { Attribution } from './attribution/attribution.ts';
import type { Subscriptions } from './attribution/subscriptions.ts';
import { OrderDecisions, type CreditedOrder } from './commission/decide-orders.ts';
import { saveLimited } from './commission/fact-rows.ts';
import { commissionWithoutSteps } from './commission/plain-commission.ts';
import { isCounted, orderColumns, ratesText, referralState } from './commission/referral-terms.ts';
import { storeTerms, type Terms } from './commission/terms.ts';
import { Crediting } from './credit-orders.ts';
import type { CreditedReferral } from './credited-referral.ts';
import { removeReferral, saveOrder, type OrderRow, type ReferralRow } from './order-rows.ts';
import type { IncomingOrder, StoredOrder } from './incoming-order.ts';
import { refusalOf } from './orders-of-stores.ts';
import { waitForDecision } from './resettle/waiting-rows.ts';
import type { DraftReferral } from './several-affiliates.ts';
import type { ReferralCheck } from './restraints.ts';
import type { Settlement } from './settle-referral.ts';
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
export class OrderIngest {
  readonly #tx: Transaction;
  readonly #site: Site;
  readonly #parts: IngestParts;
  readonly #known: ReadonlyMap<number, OrderRow>;
  readonly #referrals: ReadonlyMap<number, readonly ReferralRow[]>;
  readonly #crediting: Crediting;
  /** Payments of subscriptions whose first payment was credited now. */
  readonly renewals = new Set<number>();

  constructor(tx: Transaction, site: Site, parts: IngestParts, { known, referrals }: StoredBefore) {
    this.#tx = tx;
    this.#site = site;
    this.#parts = parts;
    this.#known = known;
    this.#referrals = Map.groupBy(referrals, (referral) => referral.order_id);
    this.#crediting = new Crediting(site, parts);
  }

  async run(
    incoming: readonly IncomingOrder[],
    { isOne }: { isOne: boolean },
  ): Promise<(StoredOrder | ApiError)[]> {
    const turn = new TurnBudget();
    const versions: (Version | StoredOrder | ApiError)[] = [];
    for (const one of incoming) {
      if (turn.isUsed) await turn.next();
      versions.push(this.#store(one));
    }
    const changed = versions.filter((one) => 'credited' in one);
    const locks = isOne && changed.some(({ counts }) => counts);
    const decisions = await OrderDecisions.ask(this.#tx, changed, {
      lock: locks ? (key) => this.#tx.lock(key) : undefined,
    });
    const results: (StoredOrder | ApiError)[] = [];
    for (const one of versions) {
      if (turn.isUsed) await turn.next();
      results.push('credited' in one ? this.#decide(decisions, one) : one);
    }
    return results;
  }

  /** Stores a version and credits it; the result for one that changes nothing or is refused. */
  #store(sent: IncomingOrder): Version | StoredOrder | ApiError {
    const known = this.#known.get(sent.order.orderId);
    const order = withKnownRate(this.#site, sent.order, known);
    const incoming = order === sent.order ? sent : { ...sent, order };
    const { context, again } = incoming;
    const before = this.#referrals.get(order.orderId) ?? [];
    const refusal = refusalOf(order, known, this.#parts.stores);
    if (refusal) return refusal;
    if (known && !again && isUnchanged(incoming, known)) {
      const isNewVersion = false;
      return { isNew: false, isChanged: false, isNewVersion, order: known, referrals: before };
    }
    const decidedAt = known?.decided_at ?? null;
    const waits = incoming.isHistory === true && decidedAt === null;
    const isCounting = isCounted(this.#site, order.status);
    const counts = isCounting && !waits;
    const isDecided = counts || decidedAt !== null;
    const row = toRow(
      order,
      known,
      context.nowMs,
      counts ? (decidedAt ?? context.nowMs) : decidedAt,
    );
    if (!again || row.decided_at !== decidedAt) saveOrder(this.#tx, row, { isNew: !known });
    if (waits && isCounting) waitForDecision(this.#tx, this.#site, order, context.nowMs);
    const credited = this.#crediting.credit({ order, known, before, counts });
    if (isDecided) this.#crediting.record(this.#tx, order, credited);
    const version = { incoming, order, known, before, row, counts, isDecided, credited };
    this.#notePayment(version);
    return version;
  }

  #notePayment({ order, known, counts, credited }: Version): void {
    const { subscriptions } = this.#parts;
    if (known && known.decided_at !== null) subscriptions.leave(this.#tx, order, known);
    const wasPaid = order.subscription !== null && subscriptions.isPaid(order);
    subscriptions.noteStatus(order);
    if (!counts || !order.subscription) return;
    subscriptions.note(this.#tx, order);
    // It credits its renewals when it is learned, or counts again, and when it is credited later.
    const credits = ({ kept, row }: CreditedReferral) => row.dropped === 0 && !(kept && wasPaid);
    if (!credited.some(credits)) return;
    for (const id of subscriptions.renewalsOf(order)) this.renewals.add(id);
  }

  #decide(decisions: OrderDecisions, version: Version): StoredOrder {
    const { order, known, row } = version;
    this.#parts.attribution.emitChanges(this.#tx, order, version.incoming.context.nowMs);
    const posted: ReferralRow[] = [];
    // Each is posted before the next one is decided.
    for (const draft of decisions.decide(version)) {
      posted.push(this.#post(decisions, version, draft));
    }
    const all = posted.sort((a, b) => a.coupon_id - b.coupon_id);
    const referrals = isEstimate(known) ? all.filter(({ dropped }) => dropped === 0) : all;
    const isNewVersion = !known || known.modified_at !== row.modified_at;
    return { isNew: !known, isChanged: true, isNewVersion, order: row, referrals };
  }

  #post(decisions: OrderDecisions, version: Version, draft: DraftReferral): ReferralRow {
    const { incoming, order, counts, isDecided } = version;
    const { context, again = { grants: true } } = incoming;
    const { previous, row, terms, credited } = draft;
    // A change of the order does not concern a coupon that was removed from it earlier.
    if (previous?.dropped && row.dropped) return previous;
    const { rates, rules } = terms;
    const { amount, base, byRule } = commissionWithoutSteps(
      order.figures,
      rates,
      rules,
      order.exchange,
    );
    const { dropped } = row;
    const stored = this.#parts.settlement.free(previous);
    const grants = again.grants;
    const state = referralState(this.#site, order.status, {
      terms,
      dropped,
      previous: stored,
      counts,
      grants,
    });
    const columns = orderColumns(order, { state, counted: counts && !dropped, commission: amount });
    const next = { ...row, ...columns, rates: ratesText(previous, terms) };
    if (!credited.kept) storeTerms(this.#tx, this.#site, credited.terms!);
    if (isDecided && !credited.kept && !terms.self) {
      const { renews, ownerEmail } = credited;
      for (const check of this.#parts.checks) {
        check(order, { ...next, renews }, ownerEmail, context.nowMs);
      }
    }
    const after = this.#parts.settlement.settle(previous, next, base, context);
    for (const limited of decisions.note(version, draft, after, byRule)) {
      saveLimited(this.#tx, limited);
    }
    if (dropped && isEstimate(version.known)) removeReferral(this.#tx, after);
    return after;
  }
}

/** Whether nothing about an order was decided before: what it was credited to then leaves nothing behind. */
function isEstimate(known: OrderRow | undefined): boolean {
  return known === undefined || known.decided_at === null;
}
