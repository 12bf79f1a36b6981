import type { Transaction } from '../../db/database.ts';
import { Point } from '../../kernel/declare/point.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { DAY_MS } from '../../shared/durations.ts';
import type { Fraction } from '../../shared/money.ts';
import { emit } from '../events/index.ts';
import { emitCommission, postEarnings } from '../ledger/index.ts';
import { referralCreated, referralReversed, referralUpdated } from './order-events.ts';
import { saveReferral, type ReferralRow } from './order-rows.ts';
import { restraints } from './restraints.ts';
import { delayDays } from './settings.ts';

type UnsettledReferral = Omit<ReferralRow, 'awaiting' | 'granted'>;

/** The actor of a change and its time. */
export interface ChangeContext {
  readonly actorId: number;
  readonly nowMs: number;
  /** A stored order is settled again: without a change of what it earns there is no event. */
  readonly isAgain?: boolean;
  /** The case of a review that makes the change, and what the ledger says of it. */
  readonly case?: { readonly id: number; readonly note: string };
}

/** A referral before and after it was settled. */
export interface ReferralChange {
  readonly before: ReferralRow | undefined;
  readonly after: ReferralRow;
  /** The amount that the percentages apply to, in minor units; undefined where it did not change. */
  readonly base: Fraction | undefined;
}

/** Which referrals a transaction may settle. */
interface ReferralScope {
  /** The orders that have referrals already. */
  readonly orderIds: ReadonlySet<number>;
  /** The affiliates who may get new ones. */
  readonly affiliateIds: ReadonlySet<number>;
}

/**
 * Runs for one referral after the other, for the same one as often as it is settled. It adds what it changes to
 * the transaction: ledger lines, events, rows of its own.
 */
type ReferralHook = (change: ReferralChange, context: ChangeContext) => void;

/** Reads what the hook needs, once for all referrals that the transaction settles. */
export type PrepareReferralHook = (
  tx: Transaction,
  site: Site,
  scope: ReferralScope,
) => Promise<ReferralHook>;

export const referralHooks = new Point<PrepareReferralHook>('orders.referral-hooks');

export type Settlement = Awaited<ReturnType<typeof beginSettlement>>;

/** Reads what settling the referrals of one transaction needs. */
export async function beginSettlement(tx: Transaction, site: Site, scope: ReferralScope) {
  const { registry } = site;
  const [hooks, restraining] = await Promise.all([
    Promise.all(
      registry.allContributions(referralHooks).map((prepare) => prepare(tx, site, scope)),
    ),
    Promise.all(
      registry.allContributions(restraints).map((read) => read(tx, site, scope.orderIds)),
    ),
  ]);

  /** A stored referral as its order makes it: without what restrains it. */
  function free<R extends ReferralRow | undefined>(stored: R): R | ReferralRow {
    return stored && restraining.reduce<ReferralRow>((row, one) => one.free(row), stored);
  }

  /**
   * Brings the ledger to what a referral is worth now: posts the difference, saves the referral, emits its event
   * and runs the hooks of other modules. Commission that was granted and no longer is goes back to the store,
   * even where the balance falls below zero: it is carried forward.
   */
  function settle(
    before: ReferralRow | undefined,
    next: UnsettledReferral,
    base: Fraction | undefined,
    context: ChangeContext,
  ): ReferralRow {
    let after = toSettled(site, free(before), next, context.nowMs);
    for (const restraint of restraining) after = restraint.restrain(after);
    postDifference(tx, site, before, after, context);
    if (!context.isAgain || !before || !isSame(before, after))
      emitReferral(tx, site, before, after, context);
    saveReferral(tx, after);
    for (const hook of hooks) hook({ before, after, base }, context);
    return after;
  }

  return { free, settle };
}

function toSettled(
  site: Site,
  before: ReferralRow | undefined,
  next: UnsettledReferral,
  nowMs: number,
): ReferralRow {
  const releaseAt = releaseAtOf(site, before, next, nowMs);
  const state = releaseAt === null ? next.state : 'awaiting';
  return {
    ...next,
    state,
    awaiting: state === 'awaiting' ? next.commission : 0,
    granted: state === 'granted' ? next.commission : 0,
    release_at: releaseAt,
  };
}

/** When a commission that is now payable will be granted, if it is held first. */
function releaseAtOf(
  site: Site,
  before: ReferralRow | undefined,
  next: UnsettledReferral,
  nowMs: number,
): number | null {
  if (next.state !== 'granted' || before?.state === 'granted') return null;
  const releaseAt = before?.release_at ?? nowMs + site.settings.get(delayDays) * DAY_MS;
  return releaseAt > nowMs ? releaseAt : null;
}

function postDifference(
  tx: Transaction,
  site: Site,
  before: ReferralRow | undefined,
  after: ReferralRow,
  { actorId, nowMs, case: reviewed }: ChangeContext,
): void {
  const entry = {
    couponId: after.coupon_id,
    ownerId: after.user_id,
    kind: 'order' as const,
    orderId: after.order_id,
    userId: actorId,
    note: `Order ${after.order_id}: ${reviewed?.note ?? after.status}`,
    nowMs,
    caseId: reviewed?.id,
  };
  postEarnings(tx, before, after, entry);
  emitCommission(tx, site, {
    couponId: after.coupon_id,
    ownerId: after.user_id,
    orderId: after.order_id,
    amountMinor: after.granted - (before?.granted ?? 0),
    note: entry.note,
    actorId,
    nowMs,
  });
}

function emitReferral(
  tx: Transaction,
  site: Site,
  before: ReferralRow | undefined,
  after: ReferralRow,
  { actorId, nowMs }: ChangeContext,
): void {
  const { currency } = site;
  const commission = currency.toMajor(after.commission);
  const common = { objectId: after.order_id, userId: actorId, nowMs };
  const order = `Order ${after.order_id} (${after.status})`;
  const data = {
    order_id: after.order_id,
    coupon_id: after.coupon_id,
    user_id: after.user_id,
    total: currency.toMajor(after.sales),
    commission,
    currency: currency.code,
    status: after.status,
  };
  if (before && isReversed(before, after)) {
    const amount = currency.toMajor(before.commission);
    emit(tx, referralReversed, {
      ...common,
      info: `${order}: commission ${amount} ${currency.code} taken back from coupon ${after.coupon_id}.`,
      data: { ...data, amount },
    });
    return;
  }
  emit(tx, before ? referralUpdated : referralCreated, {
    ...common,
    info: `${order}: commission ${commission} ${currency.code} for coupon ${after.coupon_id}.`,
    data,
  });
}

/** Whether a referral earns what it earned, and it is as payable as it was. */
function isSame(before: ReferralRow, after: ReferralRow): boolean {
  const { state, commission, release_at } = after;
  return (
    state === before.state && commission === before.commission && release_at === before.release_at
  );
}

/** Whether a referral that earned, or could earn, no longer does: it is void, or its order was fully refunded. */
function isReversed(before: ReferralRow, after: ReferralRow): boolean {
  if (before.state === 'void') return false;
  return after.state === 'void' || (before.commission > 0 && after.commission === 0);
}
