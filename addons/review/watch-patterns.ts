import type { Job } from '../../src/kernel/declare/job.ts';
import type { Site } from '../../src/kernel/declare/site.ts';
import { HOUR_MS } from '../../src/shared/durations.ts';
import { findLastOpened } from './cases/case-rows.ts';
import { reportPattern, type Pattern } from './cases/report-pattern.ts';
import { readCodeDays } from './patterns/code-days.ts';
import { isTrackingFailure, leak } from './patterns/code-leaked.ts';
import { fromCouponSites } from './patterns/coupon-sites.ts';
import {
  activeAccounts,
  dayBefore,
  listRefunded,
  readClicked,
  readRefundDays,
  readVolumeDays,
  type ActiveAccount,
} from './patterns/day-rows.ts';
import { HISTORY_DAYS, median } from './patterns/days.ts';
import { manyRefunds, REFUND_DAYS } from './patterns/many-refunds.ts';
import { readReferrers } from './patterns/referrer-rows.ts';
import { mayBeUnusual, unusualVolume } from './patterns/unusual-volume.ts';
import { patternNames, type AllRuleOptions, type PatternName } from './rules/rules.ts';
import { rulesNow } from './settings.ts';

/** One statement takes a few milliseconds. */
const AFFILIATES_AT_ONCE = 50;

/** What accounts and affiliates have had on a day. */
interface Activity {
  readonly day: string;
  readonly accounts: readonly ActiveAccount[];
  /** By affiliate. */
  readonly orders: ReadonlyMap<number, number>;
  readonly clicks: ReadonlyMap<number, { readonly clicks: number; readonly conversions: number }>;
}

/**
 * Looks at affiliates over time. It judges today, and yesterday as well: orders arrive until midnight and later.
 * Affiliates with few orders and clicks are left out before any history is read.
 */
export const watchPatterns: Job = {
  name: 'review.patterns',
  everyMs: HOUR_MS,
  runsOn: 'one',
  async run(site) {
    const options = rulesNow(site);
    if (patternNames.every((name) => options[name].action === 'off')) return;
    const today = site.calendar.dayOf(site.clock());
    for (const day of [dayBefore(today, 1), today]) {
      const activity = await readActivity(site, day);
      for (const name of patternNames) {
        const { action } = options[name];
        if (action !== 'note' && action !== 'hold') continue;
        for await (const found of looks[name](site, activity, options)) {
          const pattern: Pattern = { rule: name, action, ...found };
          await site.database.transaction((tx) => reportPattern(tx, site, pattern));
        }
      }
    }
  },
};

type Found = Pick<Pattern, 'userId' | 'figures'>;
type Look = (site: Site, activity: Activity, options: AllRuleOptions) => AsyncGenerator<Found>;

async function readActivity({ database: { read } }: Site, day: string): Promise<Activity> {
  const accounts: ActiveAccount[] = [];
  const orders = new Map<number, number>();
  for await (const rows of activeAccounts(read, day)) {
    accounts.push(...rows);
    for (const { user_id, orders: count } of rows) {
      orders.set(user_id, (orders.get(user_id) ?? 0) + count);
    }
  }
  return { day, accounts, orders, clicks: await readClicked(read, day) };
}

const looks: Record<PatternName, Look> = {
  async *code_leaked(site, { day, accounts }, { code_leaked }) {
    const { read } = site.database;
    yield* fromSites(site, day, code_leaked.sites);
    const range = { first: dayBefore(day, HISTORY_DAYS), last: day };
    const judged = accounts.filter(({ orders }) => orders >= code_leaked.orders);
    const found: Found[] = [];
    for (const account of judged) {
      const figures = leak(await readCodeDays(read, account, range), code_leaked);
      const { user_id: userId, code } = account;
      if (figures) found.push({ userId, figures: { day, code, ...figures } });
    }
    if (!isTrackingFailure(found.length, judged.length)) yield* found;
    else {
      const codes = { codes: found.length, judged: judged.length, day };
      site.log.warn(codes, 'most codes are used without a click: clicks may not be recorded');
    }
  },

  async *unusual_volume({ database: { read } }, { day, orders, clicks }, { unusual_volume }) {
    const program = {
      orders: median([...orders.values()].filter((count) => count > 0)),
      clicks: median(Array.from(clicks.values(), (one) => one.clicks)),
    };
    const candidates = [...new Set([...orders.keys(), ...clicks.keys()])].filter((id) => {
      const clicked = clicks.get(id) ?? { clicks: 0, conversions: 0 };
      return mayBeUnusual({ orders: orders.get(id) ?? 0, ...clicked }, unusual_volume);
    });
    const range = { first: dayBefore(day, HISTORY_DAYS), last: day };
    for (const userIds of inBatches(candidates)) {
      for (const [userId, days] of await readVolumeDays(read, userIds, range)) {
        const figures = unusualVolume(days, program, unusual_volume);
        if (figures) yield { userId, figures: { day, ...figures } };
      }
    }
  },

  async *many_refunds({ calendar, database: { read } }, { day, orders }, { many_refunds }) {
    const range = { first: dayBefore(day, REFUND_DAYS - 1), last: day };
    const minimum = Math.max(1, Math.ceil(many_refunds.share * many_refunds.orders));
    for (const userIds of inBatches([...orders.keys()])) {
      const refunded = await listRefunded(read, {
        keys: JSON.stringify(userIds),
        ...range,
        minimum,
      });
      const candidates = refunded.map(({ user_id }) => user_id);
      for (const [userId, days] of await readRefundDays(read, candidates, range)) {
        if (!manyRefunds(days, many_refunds)) continue;
        // Orders of an earlier case were judged with it.
        const about = { subject_type: 'affiliate' as const, subject_id: String(userId) };
        const { opened_at } = await findLastOpened(read, { ...about, rule: 'many_refunds' });
        const judged = opened_at === null ? '' : calendar.dayOf(opened_at);
        const later = days.filter((one) => one.day > judged);
        const figures = manyRefunds(later, many_refunds);
        if (figures) yield { userId, figures: { ...figures } };
      }
    }
  },
};

/** Codes with clicks from coupon sites. */
async function* fromSites(
  { calendar, clock, database: { read } }: Site,
  day: string,
  sites: readonly string[],
): AsyncGenerator<Found> {
  if (sites.length === 0) return;
  const until = Math.min(calendar.endOfDay(day), clock()) + 1;
  const from = calendar.startOfDay(day);
  for (const { userId, code, hosts } of await readReferrers(read, { from, until }, sites)) {
    const figures = fromCouponSites(hosts);
    if (figures) yield { userId, figures: { day, code, ...figures } };
  }
}

function* inBatches<T>(list: readonly T[]): Generator<T[]> {
  for (let i = 0; i < list.length; i += AFFILIATES_AT_ONCE) {
    yield list.slice(i, i + AFFILIATES_AT_ONCE);
  }
}
