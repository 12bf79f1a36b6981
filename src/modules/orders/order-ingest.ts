import type { Transaction } from '../../db/database.ts';
import type { ApiError } from '../../kernel/declare/errors.ts';
import type { Site } from '../../kernel/declare/site.ts';
import type { RuleList } from '../rewards/index.ts';
import type { Attribution } from './attribution/attribution.ts';
import type { Subscriptions } from './attribution/subscriptions.ts';
import type { Asking } from './commission/ask-facts.ts';
import {
  askingOf,
  askReferral,
  decideReferral,
  type AskedReferral,
} from './commission/decide-referrals.ts';
import { OrderFacts } from './commission/order-facts.ts';
import { commissionWithoutSteps } from './commission/plain-commission.ts';
import { isCounted, orderColumns, ratesText, referralState } from './commission/referral-terms.ts';
import { storeTerms, type Terms } from './commission/terms.ts';
import { Crediting } from './credit-orders.ts';
import type { CreditedReferral } from './credited-referral.ts';
import type { PreparedOrder } from './order-input.ts';
import { removeReferral, saveOrder, type OrderRow, type ReferralRow } from './order-rows.ts';
import type { IncomingOrder, StoredOrder } from './incoming-order.ts';
import { refusalOf } from './orders-of-stores.ts';
import { waitForDecision } from './resettle/waiting-rows.ts';
import { shareCommission, type DraftReferral } from './several-affiliates.ts';
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
interface Version {
  readonly incoming: IncomingOrder;
  readonly order: PreparedOrder;
  readonly known: OrderRow | undefined;
  readonly before: readonly ReferralRow[];
  readonly row: OrderRow;
  /** Whether it counts now, and whether it is decided: it counts, or has counted before. */
  readonly counts: boolean;
  readonly isDecided: boolean;
  readonly credited: readonly CreditedReferral[];
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
    const versions = incoming.map((one) => this.#store(one));
    const changed = versions.filter((one) => 'credited' in one);
    const facts = await this.#readFacts(changed);
    // Where no rule asks, the objects of an order are garbage when the next one is decided.
    const asked = changed.some(({ credited }) => credited.some(hasRules))
      ? await this.#askSums(facts, changed, isOne)
      : undefined;
    return versions.map((one) =>
      'credited' in one ? this.#decide(facts, one, asked?.get(one) ?? this.#ask(facts, one)) : one,
    );
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
      return { isNew: false, isChanged: false, order: known, referrals: before };
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
    this.#parts.subscriptions.noteStatus(order);
    if (counts) this.#notePayment(version);
    return version;
  }

  #notePayment({ order, credited }: Version): void {
    const { subscriptions } = this.#parts;
    if (!order.subscription) return;
    subscriptions.note(this.#tx, order);
    if (!credited.some(({ kept, row }) => !kept && row.dropped === 0)) return;
    for (const id of subscriptions.renewalsOf(order)) this.renewals.add(id);
  }

  #readFacts(versions: readonly Version[]): Promise<OrderFacts> {
    const asking: Asking[] = [];
    const deciding = new Set<PreparedOrder>();
    for (const version of versions) {
      const { order, credited } = version;
      for (const one of credited) {
        if (decidesCustomer(version, one)) deciding.add(order);
        if (!one.kept && hasRules(one)) asking.push(askingOf(order, one, one.terms!));
      }
    }
    const known = versions.flatMap(({ known: row, before }) =>
      row ? [{ row, isCredited: before.some(({ dropped }) => dropped === 0) }] : [],
    );
    return OrderFacts.read(this.#tx, asking, deciding, known);
  }

  #ask(facts: OrderFacts, version: Version): AskedReferral[] {
    const { order, known, row, credited } = version;
    const asked = credited.map((one) => {
      const isFirst = decidesCustomer(version, one) && facts.earlier(order).orders === 0;
      const next = isFirst ? { ...one, row: { ...one.row, new_customer: 1 } } : one;
      return askReferral(facts, order, row.store_id, next);
    });
    const isCredited = credited.some(({ row: { dropped } }) => dropped === 0);
    facts.noteOrder(known, row, isCredited);
    return asked;
  }

  /**
   * Finds which rules match all versions, and reads their sums. Two transactions that ask for the same limit wait for each
   * other, so that they cannot both take what it has left.
   */
  async #askSums(
    facts: OrderFacts,
    versions: readonly Version[],
    isOne: boolean,
  ): Promise<ReadonlyMap<Version, AskedReferral[]>> {
    const asked = new Map(versions.map((version) => [version, this.#ask(facts, version)]));
    const changing = versions.filter(({ before, counts }) => counts || before.length > 0);
    if (isOne && changing.some(({ counts }) => counts)) {
      for (const key of facts.limits.keys()) await this.#tx.lock(key);
    }
    const ids = changing.flatMap(({ known, row }) => (known ? [row.order_id] : []));
    await Promise.all([facts.limits.read(this.#tx, ids), facts.counters.read(this.#tx)]);
    return asked;
  }

  #decide(facts: OrderFacts, version: Version, asked: readonly AskedReferral[]): StoredOrder {
    const { order, known, row } = version;
    const decided = asked.map((one) => decideReferral(facts, order, one));
    this.#parts.attribution.emitChanges(this.#tx, order, version.incoming.context.nowMs);
    // Sorted by coupon, so that events and lists have the same order whatever the order of the codes.
    const drafts = shareCommission(decided).sort((a, b) => a.row.coupon_id - b.row.coupon_id);
    const after = drafts.map((draft) => this.#post(facts, version, draft));
    const referrals = isEstimate(known) ? after.filter(({ dropped }) => dropped === 0) : after;
    return { isNew: !known, isChanged: true, order: row, referrals };
  }

  #post(facts: OrderFacts, version: Version, draft: DraftReferral): ReferralRow {
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
    const made = row.terms === null ? undefined : this.#parts.terms.get(row.terms);
    if (!credited.kept) storeTerms(this.#tx, this.#site, made!);
    if (isDecided && !credited.kept && !terms.self) {
      const { renews, ownerEmail } = credited;
      for (const check of this.#parts.checks) {
        check(order, { ...next, renews }, ownerEmail, context.nowMs);
      }
    }
    const after = this.#parts.settlement.settle(previous, next, base, context);
    facts.counters.noteReferral(previous, after);
    if (made?.index) facts.limits.note(this.#tx, made.rules, order, after, byRule);
    if (dropped && isEstimate(version.known)) removeReferral(this.#tx, after);
    return after;
  }
}

/** Whether nothing about an order was decided before: what it was credited to then leaves nothing behind. */
function isEstimate(known: OrderRow | undefined): boolean {
  return known === undefined || known.decided_at === null;
}

function hasRules({ terms }: CreditedReferral): boolean {
  return terms?.index !== undefined;
}

/** Whether it is decided now if an order is the first of its customer: once, when both are known. */
function decidesCustomer(
  { order, known, isDecided }: Version,
  { kept }: CreditedReferral,
): boolean {
  if (!isDecided || order.customerHash === null) return false;
  return !kept || known?.customer_hash === null;
}
