import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Reader } from '../../../src/db/database.ts';
import { readAll } from '../../../src/db/statements/calls.ts';
import { long } from '../../../src/db/statements/query.ts';
import { jsonList } from '../../../src/db/statements/rows-query.ts';
import { readCodeDays } from '../patterns/code-days.ts';
import { isTrackingFailure, leak, type CodeDay } from '../patterns/code-leaked.ts';
import {
  byAccount,
  dayBefore,
  dayIsWithin,
  daysOfAffiliates,
  listRefunded,
  readRefundDays,
  readVolumeDays,
  type AccountDay,
  type CouponDay,
} from '../patterns/day-rows.ts';
import { HISTORY_DAYS, median } from '../patterns/days.ts';
import { manyRefunds, REFUND_DAYS } from '../patterns/many-refunds.ts';
import {
  isLarge,
  mayBeUnusual,
  tooManyConversions,
  unusualVolume,
  type ProgramDay,
  type VolumeDay,
} from '../patterns/unusual-volume.ts';
import {
  PAGE,
  pagesOf,
  pagesOfEarners,
  sizeOfPage,
  type Found,
  type LookBack,
  type Past,
} from './look-back.ts';

type Span = { keys: string; first: string; last: string };
type Sums = { user_id: number; orders: number; commission: number };

const earnedBetween = readAll<Span, Sums>(
  (db, p, _given, dialect) => ({
    compile: () =>
      sql<Sums>`select user_id, sum(orders_count) as orders, sum(total_commission) as commission
      from ${daysOfAffiliates(dialect, ['orders_count', 'total_commission'], p)}
      group by user_id`.compile(db),
  }),
  long,
);

/** Adds what affiliates have earned in some days. */
async function addDays(past: Past, found: Found, span: Omit<Span, 'keys'>, userIds: number[]) {
  if (userIds.length === 0) return;
  const rows = await earnedBetween(past.site.database.read, { keys: jsonList(userIds), ...span });
  for (const { user_id, orders, commission } of rows) {
    found.addOrders(orders);
    found.addAffiliate(user_id, commission);
  }
}

function daysOf({ site: { calendar, clock }, sinceMs }: Past): { first: string; last: string } {
  return { first: calendar.dayOf(sinceMs), last: calendar.dayOf(clock()) };
}

/** The days of so many affiliates take a few milliseconds. */
const AFFILIATES_AT_ONCE = 30;

/** Days on which an affiliate had an unusual volume, with all their orders of such a day. */
export const lookForUnusualVolume: LookBack = async (past, found) => {
  const { read } = past.site.database;
  const { unusual_volume: options } = past.options;
  const { first, last } = daysOf(past);
  const unusual = new Map<string, Set<number>>();
  const report = (day: string, userId: number) =>
    unusual.set(day, (unusual.get(day) ?? new Set()).add(userId));
  const program = new Map<string, { orders: number[]; clicks: number[] }>();
  const large: { userId: number; days: readonly VolumeDay[]; day: string }[] = [];
  for await (const earners of pagesOfEarners(read, sizeOfPage(past.site, AFFILIATES_AT_ONCE))) {
    const ids = earners.map(({ id }) => id);
    const range = { first: dayBefore(first, HISTORY_DAYS), last };
    for (const [userId, days] of await readVolumeDays(read, ids, range)) {
      for (const [i, today] of days.entries()) {
        const { day, orders, clicks } = today;
        if (day < first) continue;
        let active = program.get(day);
        if (!active) program.set(day, (active = { orders: [], clicks: [] }));
        if (orders > 0) active.orders.push(orders);
        if (clicks > 0) active.clicks.push(clicks);
        if (!mayBeUnusual(today, options)) continue;
        const judged = days.slice(Math.max(0, i - HISTORY_DAYS), i + 1);
        if (isLarge(today, options)) large.push({ userId, days: judged, day });
        if (tooManyConversions(judged, options)) report(day, userId);
      }
    }
  }
  const medians = new Map<string, ProgramDay>();
  for (const [day, { orders, clicks }] of program) {
    medians.set(day, { orders: median(orders), clicks: median(clicks) });
    await nextTurn();
  }
  for (const { userId, days, day } of large) {
    if (unusualVolume(days, medians.get(day)!, options)) report(day, userId);
  }
  for (const [day, userIds] of unusual) {
    await addDays(past, found, { first: day, last: day }, [...userIds]);
  }
};

/** Affiliates with too many refunds among their last orders, as of today. All their orders of the period count. */
export const lookForManyRefunds: LookBack = async (past, found) => {
  const { read } = past.site.database;
  const { many_refunds: options } = past.options;
  const { first, last } = daysOf(past);
  const range = { first: dayBefore(last, REFUND_DAYS - 1), last };
  const minimum = Math.max(1, Math.ceil(options.share * options.orders));
  for await (const earners of pagesOfEarners(read, sizeOfPage(past.site, AFFILIATES_AT_ONCE))) {
    const keys = jsonList(earners.map(({ id }) => id));
    const refunded = await listRefunded(read, { keys, ...range, minimum });
    if (refunded.length === 0) continue;
    const ids = refunded.map(({ user_id }) => user_id);
    const days = await readRefundDays(read, ids, range);
    const matching = ids.filter((id) => manyRefunds(days.get(id)!, options));
    await addDays(past, found, { first, last }, matching);
  }
};

const couponsAfter = readAll<{ after: number; limit: number }, { id: number }>(
  (db, p) =>
    db.selectFrom('coupons').select('id').where('id', '>', p.after).orderBy('id').limit(p.limit),
  long,
);

/** The days on which coupons had at least so many orders. */
const busyDays = readAll<Span & { minimum: number }, CouponDay>(
  (db, p, _given, dialect) =>
    db
      .selectFrom('coupon_days')
      .innerJoin('coupons', 'coupons.id', 'coupon_days.coupon_id')
      .select(['coupon_days.coupon_id', 'coupon_days.day', 'coupon_days.orders_count as orders'])
      .select(['coupon_days.total_commission as commission', 'coupons.user_id'])
      .where(dialect.inJsonArray('coupon_days.coupon_id', p.keys, 'number'))
      .where(dayIsWithin(dialect, 'coupon_days.day', p))
      .where('coupon_days.orders_count', '>=', p.minimum)
      .orderBy('coupon_days.coupon_id')
      .orderBy('coupon_days.day'),
  long,
);

/** Days on which a code was used far more often without a click than before, with all orders of the code on such a day. */
export const lookForLeakedCodes: LookBack = async (past, found) => {
  const { read } = past.site.database;
  const { code_leaked: options } = past.options;
  const judged = new Map<string, { codes: number; leaks: AccountDay[] }>();
  const pages = pagesOf<{ id: number }>((page) =>
    couponsAfter(read, { after: page?.id ?? 0, limit: PAGE }),
  );
  for await (const coupons of pages) {
    const keys = jsonList(coupons.map(({ id }) => id));
    const range = daysOf(past);
    const rows = await busyDays(read, { keys, ...range, minimum: options.orders });
    const ofAccounts = await byAccount(read, rows, range);
    const judgedDays = ofAccounts.filter(({ orders }) => orders >= options.orders);
    const accounts = Map.groupBy(judgedDays, (row) => `${row.coupon_id} ${row.user_id}`);
    for (const busy of accounts.values()) {
      const days = await readCodeSeries(read, busy);
      const position = new Map(days.map(({ day }, i) => [day, i]));
      for (const day of busy) {
        const i = position.get(day.day)!;
        const ofDay = judged.get(day.day) ?? { codes: 0, leaks: [] };
        judged.set(day.day, ofDay);
        ofDay.codes += 1;
        if (leak(days.slice(i - HISTORY_DAYS, i + 1), options)) ofDay.leaks.push(day);
      }
    }
  }
  for (const { codes, leaks } of judged.values()) {
    if (isTrackingFailure(leaks.length, codes)) continue;
    for (const { orders, user_id, commission } of leaks) {
      found.addOrders(orders);
      found.addAffiliate(user_id, commission);
    }
  }
};

/** The days of a code from 28 days before the first busy one. */
async function readCodeSeries(db: Reader, busy: readonly AccountDay[]) {
  const end = busy.at(-1)!.day;
  const days: (CodeDay & { day: string })[] = [];
  for (let first = dayBefore(busy[0]!.day, HISTORY_DAYS); first <= end;) {
    const next = dayBefore(first, -HISTORY_DAYS);
    const last = dayBefore(next, 1);
    days.push(...(await readCodeDays(db, busy[0]!, { first, last: last < end ? last : end })));
    first = next;
  }
  return days;
}
