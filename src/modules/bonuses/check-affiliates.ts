import type { Transaction } from '../../db/database.ts';
import { jsonList } from '../../db/statements/rows-query.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { HOUR_MS } from '../../shared/durations.ts';
import { percentOf, roundedTimes } from '../../shared/money.ts';
import { groupsOfMany } from '../affiliates/index.ts';
import {
  findCouponsByUser,
  formerAccountsOf,
  lockCoupon,
  type CouponAccount,
} from '../coupons/index.ts';
import { isConcerned, type RewardBonus } from '../rewards/index.ts';
import { bonusList } from './bonus-list.ts';
import { reasonOf } from './bonus-reason.ts';
import { chanceOn, goalOf, takes, windowDays, type Chance } from './bonus-windows.ts';
import { addCheck, affiliatesOf, listLaterChecks } from './check-rows.ts';
import { Counters, OrdersInReview, type Goal } from './counters.ts';
import { grantBonus, holdLonger, payBonus, reverseBonus, type NewPayment } from './pay-bonus.ts';
import { findPaymentsOf, keyOf } from './payment-rows.ts';
import type { Payment } from './tables.ts';

function isReached(counters: Counters, userId: number, goal: Goal | null): boolean {
  return goal === null || counters.valueOf(userId, goal) >= goal.at;
}

/**
 * Checks the bonuses of affiliates for the windows of some days: takes back what is no longer reached, makes payable
 * what was held for long enough, and pays what was reached.
 */
export async function checkAffiliates(
  tx: Transaction,
  site: Site,
  daysOf: ReadonlyMap<number, ReadonlySet<string>>,
  nowMs: number,
): Promise<void> {
  const userIds = [...daysOf.keys()].sort((a, b) => a - b);
  if (userIds.length === 0) return;
  const bonuses = (await bonusList.read(tx)).filter(({ active }) => active);
  /** By affiliate, in the order of the days. */
  const chancesOf = new Map(
    userIds.map((userId) => {
      const days = [...daysOf.get(userId)!].sort();
      const chances = bonuses.flatMap((one) => days.map((day) => chanceOn(site, one, day, nowMs)));
      return [userId, chances.filter((chance) => chance !== undefined)];
    }),
  );
  let accounts = await readAccounts(tx, userIds);
  const [found, groupRows, memberRows, laterChecks] = await Promise.all([
    findPaymentsOf(tx, userIds),
    groupsOfMany(tx, userIds),
    tx.allByKeys(affiliatesOf, [...userIds]),
    listLaterChecks(tx, { user_ids: jsonList(userIds), now: nowMs }),
  ]);
  let payments = found;
  const groups = Map.groupBy(groupRows, ({ user_id }) => user_id);
  const members = new Map(memberRows.map((member) => [member.user_id, member]));
  /** By affiliate and day, the earliest check to come. */
  const later = new Map<string, number>();
  for (const row of laterChecks) noteLater(row.object_id, row.day, row.due_at);
  const counters = await Counters.read(tx, goals(), userIds);
  const inReview = await OrdersInReview.read(tx, site, goals(), userIds);

  settleHeld();
  await pay();

  function* goals(): Generator<Goal> {
    for (const payment of payments) {
      const goal = payment.state === 'held' ? goalOf(payment) : null;
      if (goal) yield goal;
    }
    for (const { goal, noneIn, bonus } of [...chancesOf.values()].flat()) {
      if (goal) yield goal;
      if (goal && 'percent' in bonus.pays) yield { ...goal, by: bonus.pays.of };
      if (noneIn) yield noneIn;
    }
  }

  function settleHeld(): void {
    payments = payments.map((payment) => {
      const { state, user_id: userId, release_at: releaseAt } = payment;
      if (state !== 'held') return payment;
      const goal = goalOf(payment);
      if (!isReached(counters, userId, goal)) {
        checkOtherWindows(payment);
        return reverseBonus(tx, site, payment, nowMs);
      }
      if (releaseAt! > nowMs) return payment;
      const isInReview = inReview.areNeeded(userId, goal, counters);
      return isInReview ? holdLonger(tx, payment, nowMs) : grantBonus(tx, site, payment, nowMs);
    });
  }

  /** A bonus that was taken back may have been reached in another window, which the payment has left nothing for. */
  function checkOtherWindows(payment: Payment): void {
    const bonus = bonuses.find(({ id }) => id === payment.bonus_id);
    if (!bonus) return;
    for (const day of windowDays(site, bonus, nowMs)) {
      const chance = chanceOn(site, bonus, day, nowMs);
      if (!chance || !takes(site, payment, chance)) continue;
      addCheck(tx, { kind: 'affiliate', object_id: payment.user_id, day, due_at: nowMs });
    }
  }

  async function pay(): Promise<void> {
    const payable = new Map<string, NewPayment>();
    const before = Map.groupBy(payments, ({ user_id, bonus_id }) => `${user_id} ${bonus_id}`);
    for (const [userId, chances] of chancesOf) {
      for (const chance of chances) {
        const same = before.get(`${userId} ${chance.bonus.id}`) ?? [];
        if (same.some((payment) => takes(site, payment, chance))) continue;
        const payment = paymentFor(userId, chance);
        if (payment) payable.set(keyOf(payment), payable.get(keyOf(payment)) ?? payment);
      }
    }
    const paid = [...payable.values()].sort((a, b) => a.coupon_id - b.coupon_id);
    // The owner of the coupon must not change before the money is posted.
    for (const id of new Set(paid.map(({ coupon_id }) => coupon_id))) await lockCoupon(tx, id);
    accounts = await readAccounts(tx, [...new Set(paid.map(({ user_id }) => user_id))]);
    for (const payment of paid) {
      if (couponOf(payment.user_id) === payment.coupon_id) {
        const isInReview = inReview.areNeeded(payment.user_id, goalOf(payment), counters);
        payBonus(tx, site, payment, { isInReview, nowMs });
      } else waitForCoupon(payment.user_id, goalOf(payment));
    }
  }

  /** The payment of a chance that was taken; undefined if there is none, or none yet. */
  function paymentFor(userId: number, chance: Chance): NewPayment | undefined {
    const { bonus, windowFirst, goal, endsAt } = chance;
    const key = { bonus_id: bonus.id, user_id: userId, window_first: windowFirst };
    if (!isFor(userId, bonus)) return undefined;
    if (endsAt !== undefined && endsAt > nowMs) {
      checkLater(userId, endsAt, goal!.last);
      return undefined;
    }
    if (!isTaken(userId, chance)) return undefined;
    const { pays } = bonus;
    if ('percent' in pays && inReview.has(userId, goal!)) {
      // Its amount is not known before they are decided.
      checkLater(userId, nowMs + HOUR_MS, goal!.first);
      return undefined;
    }
    const base = 'percent' in pays ? counters.valueOf(userId, { ...goal!, by: pays.of }) : 0;
    const amount =
      'percent' in pays
        ? roundedTimes(base, percentOf(pays.percent))
        : site.currency.toMinor(pays.amount)!;
    if (amount <= 0) return undefined;
    const couponId = couponOf(userId);
    if (couponId === undefined) {
      waitForCoupon(userId, goal);
      return undefined;
    }
    return {
      ...key,
      coupon_id: couponId,
      amount,
      goal: goal && JSON.stringify(goal),
      reason: reasonOf(site, bonus, goal, base),
    };
  }

  function isTaken(userId: number, { goal, noneIn, acceptedSince }: Chance): boolean {
    if (acceptedSince !== undefined) {
      return (members.get(userId)?.registered_at ?? 0) >= acceptedSince;
    }
    if (noneIn && isReached(counters, userId, noneIn)) return false;
    return isReached(counters, userId, goal);
  }

  /** As for orders: a suspended affiliate gets nothing. */
  function isFor(userId: number, { who }: RewardBonus): boolean {
    if (members.get(userId)?.status === 'suspended') return false;
    const coupons = new Map(accounts.coupons.get(userId)?.map(({ id, code }) => [id, code]));
    const ofGroups = groups.get(userId)?.map(({ id }) => id) ?? [];
    return isConcerned({ id: userId, groups: ofGroups, coupons }, who);
  }

  /** Bonuses are paid on the oldest coupon that is active; without a coupon, on the one that changed hands last. */
  function couponOf(userId: number): number | undefined {
    const own = accounts.coupons.get(userId);
    if (own) return own.find(({ status }) => status === 'active')?.id;
    const changed = ({ owned_since }: CouponAccount) => owned_since ?? 0;
    const former = accounts.former.get(userId)?.toSorted((a, b) => changed(b) - changed(a));
    return former?.[0]?.coupon_id;
  }

  /** Checks the windows of a day again, unless that happens before then anyway. */
  function checkLater(userId: number, dueAt: number, day: string): void {
    if (!noteLater(userId, day, dueAt)) return;
    addCheck(tx, { kind: 'affiliate', object_id: userId, day, due_at: dueAt });
  }

  function noteLater(userId: number, day: string, dueAt: number): boolean {
    const key = `${userId} ${day}`;
    const isFirst = dueAt < (later.get(key) ?? Number.POSITIVE_INFINITY);
    if (isFirst) later.set(key, dueAt);
    return isFirst;
  }

  /** Without an active coupon there is no balance to pay to. */
  function waitForCoupon(userId: number, goal: Goal | null): void {
    const day = goal?.first ?? site.calendar.dayOf(nowMs);
    checkLater(userId, nowMs + HOUR_MS, day);
  }
}

/** By affiliate, the coupons that it has, and its accounts of others. */
async function readAccounts(tx: Transaction, userIds: readonly number[]) {
  const coupons = await findCouponsByUser(tx, userIds);
  const former = await formerAccountsOf(tx, userIds);
  return {
    coupons: Map.groupBy(coupons, ({ user_id }) => user_id!),
    former: Map.groupBy(former, ({ user_id }) => user_id),
  };
}
