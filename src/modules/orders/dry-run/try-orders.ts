import type { Reader } from '../../../db/database.ts';
import { SettingValues } from '../../../kernel/declare/setting.ts';
import type { Site } from '../../../kernel/declare/site.ts';
import { dayAfter, type RewardRule } from '../../rewards/index.ts';
import { Subscriptions } from '../attribution/subscriptions.ts';
import { decideOrders } from '../commission/decide-orders.ts';
import { factsOf } from '../commission/facts.ts';
import { OrderSums } from '../commission/order-facts.ts';
import { commissionWithoutSteps } from '../commission/plain-commission.ts';
import { currentTerms, renewalTerms } from '../commission/referral-terms.ts';
import { readTerms, type Terms } from '../commission/terms.ts';
import type { CreditedOrder, CreditedReferral } from '../credited-referral.ts';
import { placesAfter } from '../list/order-places.ts';
import type { PreparedOrder } from '../order-input.ts';
import { byPlace } from '../order-place.ts';
import type { ReferralRow } from '../order-rows.ts';
import { toStored } from '../stored-order.ts';
import { ordersToTry, ratesOfCoupons, referralsToTry } from './dry-run-rows.ts';

/** What orders of a period are tried with. Days are those of the site, both included. */
export interface CompletePlan {
  readonly from: string;
  readonly to: string;
  /** The whole list, in its order. */
  readonly rules: readonly RewardRule[];
  /** The values of all settings that decide what an order earns. */
  readonly settings: Readonly<Record<string, unknown>>;
}

/** What a referral earns now and what it would earn, in minor units. */
export interface TriedReferral {
  readonly orderId: number;
  readonly userId: number;
  readonly couponId: number;
  readonly before: number;
  readonly after: number;
}

/** Some orders, oldest first, and the share of all that is done with them. */
export interface TriedPage {
  readonly tried: readonly TriedReferral[];
  readonly share: number;
}

/** What a dry run needs of a site. */
interface TriedSite extends Pick<Site, 'calendar' | 'currency'> {
  readonly database: { readonly read: Reader };
}

/** Tries orders in this thread; see `dryRun`. */
export async function* tryOrders(given: TriedSite, plan: CompletePlan): AsyncGenerator<TriedPage> {
  const settings = new SettingValues(new Map(Object.entries(plan.settings)));
  // Commission is computed from no other part of a site.
  const site = { ...given, settings } as Site;
  const fromMs = site.calendar.startOfDay(plan.from);
  const untilMs = site.calendar.endOfDay(plan.to);
  const compute = beginDryRun(site, plan, fromMs);
  const before = { placed_at: fromMs - 1, order_id: Number.MAX_SAFE_INTEGER };
  for await (const places of placesAfter(site.database.read, before, untilMs)) {
    const share = (places.at(-1)!.placed_at - fromMs) / (untilMs - fromMs);
    yield { tried: await compute(places.map(({ order_id }) => order_id)), share };
  }
}

/** Orders go through the same steps as those that come in, with the sums that this dry run has made so far. */
function beginDryRun(site: Site, { rules, from }: CompletePlan, fromMs: number) {
  const { read } = site.database;
  const list = { version: 1, rules: rules.filter(({ active }) => active) };
  const sums = new OrderSums(dayAfter(from, -1));
  const termsOfCoupons = new Map<number, Terms>();
  const termsOfRenewals = new Map<Terms, Terms>();

  async function compute(orderIds: readonly number[]): Promise<TriedReferral[]> {
    const orders = await credit(await referralsToTry(read, orderIds));
    const decisions = await decideOrders(read, orders, { sums });
    return orders.flatMap((one) =>
      Array.from(decisions.decide(one), (draft): TriedReferral => {
        const { amount, byRule } = commissionWithoutSteps(one.order, draft.terms);
        const stored = one.before.find(({ coupon_id }) => coupon_id === draft.row.coupon_id)!;
        const { order_id: orderId, user_id: userId, coupon_id: couponId, commission } = stored;
        const after = draft.terms.self ? 0 : amount;
        decisions.note(one, draft, { ...stored, ...draft.row, commission: after }, byRule);
        return { orderId, userId, couponId, before: commission, after };
      }),
    );
  }

  /** The orders of stored referrals, oldest first, credited as they are. */
  async function credit(referrals: readonly ReferralRow[]): Promise<CreditedOrder[]> {
    const byOrder = Map.groupBy(referrals, ({ order_id }) => order_id);
    const rows = await ordersToTry(read, [...byOrder.keys()]);
    const orders = rows.map((row) => ({ row, order: toStored(site, row) }));
    const isRenewal = ({ credited_by }: ReferralRow) => credited_by === 'subscription';
    const renewals = orders.filter(({ row }) => byOrder.get(row.order_id)!.some(isRenewal));
    const subscriptions = await Subscriptions.read(
      read,
      renewals.map(({ order }) => order),
    );
    const termsOf = await readTermsOf(referrals, subscriptions);
    return orders
      .sort((a, b) => byPlace(a.row, b.row))
      .map(({ row, order }) => {
        const before = byOrder.get(row.order_id)!;
        const credited = before.map((one) =>
          creditedAs(one, order, termsOf(one, order), subscriptions),
        );
        return { row, order, before, credited, known: row, isDecided: false };
      });
  }

  /** A renewal keeps the terms of its first payment, which are those of the dry run if it is in the period. */
  async function readTermsOf(referrals: readonly ReferralRow[], subscriptions: Subscriptions) {
    const unknown = new Set(referrals.map(({ coupon_id }) => coupon_id));
    for (const id of unknown) if (termsOfCoupons.has(id)) unknown.delete(id);
    for (const coupon of await ratesOfCoupons(read, [...unknown])) {
      termsOfCoupons.set(coupon.id, currentTerms(site, coupon, list));
    }
    const isEarlier = ({ placed_at }: ReferralRow) => placed_at < fromMs;
    const stored = await readTerms(read, site, subscriptions.referrals().filter(isEarlier));
    return ({ coupon_id, credited_by }: ReferralRow, order: PreparedOrder): Terms => {
      const current = termsOfCoupons.get(coupon_id)!;
      if (credited_by !== 'subscription') return current;
      const firstOrderId = subscriptions.paymentOf(order)?.firstOrderId ?? order.orderId;
      const first = subscriptions
        .referralsOf(firstOrderId)
        .find((one) => one.coupon_id === coupon_id);
      if (!first || !isEarlier(first)) return renewed(current);
      const kept = stored.get(first.terms ?? '');
      // Without stored terms, a first payment before the period leaves those of the coupon.
      return kept ? renewed(kept) : current;
    };
  }

  function renewed(first: Terms): Terms {
    const terms = termsOfRenewals.get(first) ?? renewalTerms(site, first, list);
    termsOfRenewals.set(first, terms);
    return terms;
  }

  return compute;
}

/**
 * A stored referral as it would be credited again. One that is void leaves its part of a shared commission to others.
 * Whether the order was the first of its customer stays as decided, so that only rules that ask read customers.
 */
function creditedAs(
  stored: ReferralRow,
  order: PreparedOrder,
  terms: Terms,
  subscriptions: Subscriptions,
): CreditedReferral {
  const { payment: number, started: startedOn, share } = factsOf(stored);
  const payment =
    number === undefined || startedOn === undefined
      ? subscriptions.paymentOf(order)
      : { number, startedOn, firstOrderId: order.orderId };
  return {
    previous: undefined,
    row: { ...stored, terms: terms.hash, facts: null },
    terms,
    payment,
    share,
    self: stored.state === 'void',
    kept: false,
    recounts: false,
    ownerEmail: '',
  };
}
