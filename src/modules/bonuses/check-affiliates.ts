import type { Transaction } from '../../db/database.ts';
import { jsonList } from '../../db/statements/rows-query.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { percentOf, roundedTimes } from '../../shared/money.ts';
import { groupsOfMany } from '../affiliates/index.ts';
import {
  findCouponsByUser,
  formerAccountsOf,
  lockCoupon,
  type CouponAccount,
  type CouponRow,
} from '../coupons/index.ts';
import { isConcerned, type RewardBonus } from '../rewards/index.ts';
import { bonusList } from './bonus-list.ts';
import { reasonOf } from './bonus-reason.ts';
import { chanceOn, goalOf, takes, windowDays, type Chance } from './bonus-windows.ts';
import { addCheck, affiliatesOf, listLaterChecks } from './check-rows.ts';
import { Counters, type Goal } from './counters.ts';
import { OrdersInReview } from './in-review.ts';
import { findPaymentsOf, keyOf } from './payment-rows.ts';
import { grantBonus, holdLonger, payBonus, reverseBonus, type NewPayment } from './pay-bonus.ts';
import type { Payment } from './tables.ts';

const HOUR_MS = 60 * 60_000;

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
  const check = new AffiliatesCheck(tx, site, nowMs);
  await check.read(userIds, daysOf);
  check.settleHeld();
  await check.pay();
}

class AffiliatesCheck {
  readonly #tx: Transaction;
  readonly #site: Site;
  readonly #nowMs: number;
  #bonuses: readonly RewardBonus[] = [];
  /** By affiliate, in the order of the days. */
  readonly #chances = new Map<number, Chance[]>();
  #payments: Payment[] = [];
  #coupons = new Map<number, CouponRow[]>();
  #former = new Map<number, CouponAccount[]>();
  #groups = new Map<number, number[]>();
  #members = new Map<number, { status: string; registered_at: number }>();
  /** By affiliate and day, the earliest check to come. */
  readonly #later = new Map<string, number>();
  #counters = new Counters();
  #inReview = new OrdersInReview();

  constructor(tx: Transaction, site: Site, nowMs: number) {
    this.#tx = tx;
    this.#site = site;
    this.#nowMs = nowMs;
  }

  async read(
    userIds: readonly number[],
    daysOf: ReadonlyMap<number, ReadonlySet<string>>,
  ): Promise<void> {
    const [tx, site, now] = [this.#tx, this.#site, this.#nowMs];
    this.#bonuses = (await bonusList.read(tx)).filter(({ active }) => active);
    for (const userId of userIds) {
      const days = [...daysOf.get(userId)!].sort();
      const chances = this.#bonuses.flatMap((one) =>
        days.map((day) => chanceOn(site, one, day, now)),
      );
      this.#chances.set(
        userId,
        chances.filter((chance) => chance !== undefined),
      );
    }
    const [payments, , groups, members, later] = await Promise.all([
      findPaymentsOf(tx, userIds),
      this.#readCoupons(userIds),
      groupsOfMany(tx, userIds),
      tx.allByKeys(affiliatesOf, [...userIds]),
      listLaterChecks(tx, { user_ids: jsonList(userIds), now }),
    ]);
    this.#payments = payments;
    for (const { user_id, id } of groups) {
      this.#groups.set(user_id, [...(this.#groups.get(user_id) ?? []), id]);
    }
    this.#members = new Map(members.map((member) => [member.user_id, member]));
    for (const row of later) this.#noteLater(row.object_id, row.day, row.due_at);
    this.#counters = await Counters.read(tx, this.#goals(), userIds);
    this.#inReview = await OrdersInReview.read(tx, site, this.#goals(), userIds);
  }

  *#goals(): Generator<Goal> {
    for (const payment of this.#payments) {
      const goal = payment.state === 'held' ? goalOf(payment) : null;
      if (goal) yield goal;
    }
    for (const { goal, noneIn, bonus } of [...this.#chances.values()].flat()) {
      if (goal) yield goal;
      if (goal && 'percent' in bonus.pays) yield { ...goal, by: bonus.pays.of };
      if (noneIn) yield noneIn;
    }
  }

  settleHeld(): void {
    const [tx, site, now] = [this.#tx, this.#site, this.#nowMs];
    this.#payments = this.#payments.map((payment) => {
      const { state, user_id: userId, release_at: releaseAt } = payment;
      if (state !== 'held') return payment;
      const goal = goalOf(payment);
      if (!isReached(this.#counters, userId, goal)) {
        this.#checkOtherWindows(payment);
        return reverseBonus(tx, site, payment, now);
      }
      if (releaseAt! > now) return payment;
      const isInReview = this.#inReview.areNeeded(userId, goal, this.#counters);
      return isInReview ? holdLonger(tx, payment, now) : grantBonus(tx, site, payment, now);
    });
  }

  /** A bonus that was taken back may have been reached in another window, which the payment has left nothing for. */
  #checkOtherWindows(payment: Payment): void {
    const [site, now] = [this.#site, this.#nowMs];
    const bonus = this.#bonuses.find(({ id }) => id === payment.bonus_id);
    if (!bonus) return;
    for (const day of windowDays(site, bonus, now)) {
      const chance = chanceOn(site, bonus, day, now);
      if (!chance || !takes(site, payment, chance)) continue;
      addCheck(this.#tx, { kind: 'affiliate', object_id: payment.user_id, day, due_at: now });
    }
  }

  async pay(): Promise<void> {
    const payable = new Map<string, NewPayment>();
    const before = Map.groupBy(this.#payments, ({ user_id, bonus_id }) => `${user_id} ${bonus_id}`);
    for (const [userId, chances] of this.#chances) {
      for (const chance of chances) {
        const same = before.get(`${userId} ${chance.bonus.id}`) ?? [];
        if (same.some((payment) => takes(this.#site, payment, chance))) continue;
        const payment = this.#paymentFor(userId, chance);
        if (payment) payable.set(keyOf(payment), payable.get(keyOf(payment)) ?? payment);
      }
    }
    const payments = [...payable.values()].sort((a, b) => a.coupon_id - b.coupon_id);
    // The owner of the coupon must not change before the money is posted.
    for (const id of new Set(payments.map(({ coupon_id }) => coupon_id))) {
      await lockCoupon(this.#tx, id);
    }
    const owners = [...new Set(payments.map(({ user_id }) => user_id))];
    await this.#readCoupons(owners);
    for (const payment of payments) {
      if (this.#couponOf(payment.user_id) === payment.coupon_id) {
        const isInReview = this.#inReview.areNeeded(
          payment.user_id,
          goalOf(payment),
          this.#counters,
        );
        payBonus(this.#tx, this.#site, payment, { isInReview, nowMs: this.#nowMs });
      } else this.#waitForCoupon(payment.user_id, goalOf(payment));
    }
  }

  /** The payment of a chance that was taken; undefined if there is none, or none yet. */
  #paymentFor(userId: number, chance: Chance): NewPayment | undefined {
    const { bonus, windowFirst, goal, endsAt } = chance;
    const key = { bonus_id: bonus.id, user_id: userId, window_first: windowFirst };
    if (!this.#isFor(userId, bonus)) return undefined;
    if (endsAt !== undefined && endsAt > this.#nowMs) {
      this.#checkLater(userId, endsAt, goal!.last);
      return undefined;
    }
    if (!this.#isTaken(userId, chance)) return undefined;
    const { pays } = bonus;
    if ('percent' in pays && this.#inReview.has(userId, goal!)) {
      // Its amount is not known before they are decided.
      this.#checkLater(userId, this.#nowMs + HOUR_MS, goal!.first);
      return undefined;
    }
    const base = 'percent' in pays ? this.#counters.valueOf(userId, { ...goal!, by: pays.of }) : 0;
    const amount =
      'percent' in pays
        ? roundedTimes(base, percentOf(pays.percent))
        : this.#site.currency.toMinor(pays.amount)!;
    if (amount <= 0) return undefined;
    const couponId = this.#couponOf(userId);
    if (couponId === undefined) {
      this.#waitForCoupon(userId, goal);
      return undefined;
    }
    return {
      ...key,
      coupon_id: couponId,
      amount,
      goal: goal && JSON.stringify(goal),
      reason: reasonOf(this.#site, bonus, goal, base),
    };
  }

  #isTaken(userId: number, { goal, noneIn, acceptedSince }: Chance): boolean {
    if (acceptedSince !== undefined) {
      return (this.#members.get(userId)?.registered_at ?? 0) >= acceptedSince;
    }
    if (noneIn && isReached(this.#counters, userId, noneIn)) return false;
    return isReached(this.#counters, userId, goal);
  }

  /** As for orders: a suspended affiliate gets nothing. */
  #isFor(userId: number, { who }: RewardBonus): boolean {
    if (this.#members.get(userId)?.status === 'suspended') return false;
    const coupons = new Map(this.#coupons.get(userId)?.map(({ id, code }) => [id, code]));
    return isConcerned({ id: userId, groups: this.#groups.get(userId) ?? [], coupons }, who);
  }

  async #readCoupons(userIds: readonly number[]): Promise<void> {
    const coupons = await findCouponsByUser(this.#tx, userIds);
    this.#coupons = Map.groupBy(coupons, ({ user_id }) => user_id!);
    const former = await formerAccountsOf(this.#tx, userIds);
    this.#former = Map.groupBy(former, ({ user_id }) => user_id);
  }

  /** Bonuses are paid on the oldest coupon that is active; without a coupon, on the one that changed hands last. */
  #couponOf(userId: number): number | undefined {
    const own = this.#coupons.get(userId);
    if (own) return own.find(({ status }) => status === 'active')?.id;
    const changed = ({ owned_since }: CouponAccount) => owned_since ?? 0;
    const former = this.#former.get(userId)?.toSorted((a, b) => changed(b) - changed(a));
    return former?.[0]?.coupon_id;
  }

  /** Checks the windows of a day again, unless that happens before then anyway. */
  #checkLater(userId: number, dueAt: number, day: string): void {
    if (!this.#noteLater(userId, day, dueAt)) return;
    addCheck(this.#tx, { kind: 'affiliate', object_id: userId, day, due_at: dueAt });
  }

  #noteLater(userId: number, day: string, dueAt: number): boolean {
    const key = `${userId} ${day}`;
    const isFirst = dueAt < (this.#later.get(key) ?? Number.POSITIVE_INFINITY);
    if (isFirst) this.#later.set(key, dueAt);
    return isFirst;
  }

  /** Without an active coupon there is no balance to pay to. */
  #waitForCoupon(userId: number, goal: Goal | null): void {
    const day = goal?.first ?? this.#site.calendar.dayOf(this.#nowMs);
    this.#checkLater(userId, this.#nowMs + HOUR_MS, day);
  }
}
