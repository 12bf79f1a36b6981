import type { Transaction } from '../../db/database.ts';
import { insertRows } from '../../db/statements/rows-query.ts';
import { defineWrites, type PendingWrites } from '../../db/unit-of-work.ts';

interface Counts {
  clicks: number;
  conversions: number;
}

/** Clicks or conversions of one coupon, day and campaign. */
interface CountedClicks extends Readonly<Counts> {
  readonly coupon_id: number;
  readonly day: string;
  readonly campaign: string;
  readonly creative_id?: number | null | undefined;
}

type CouponMonth = Counts & { coupon_id: number; month: string };
type CampaignDay = Counts & { day: string; campaign: string };
type CreativeDay = Counts & { creative_id: number; day: string };

const addToMonths = insertRows<CouponMonth>('click_months', {
  on: ['coupon_id', 'month'],
  add: ['clicks', 'conversions'],
});

const addToDays = insertRows<CampaignDay>('campaign_days', {
  on: ['day', 'campaign'],
  add: ['clicks', 'conversions'],
});

const addToCreatives = insertRows<CreativeDay>('creative_days', {
  on: ['creative_id', 'day'],
  add: ['clicks', 'conversions'],
});

class PendingSums implements PendingWrites {
  readonly #months = new Map<string, CouponMonth>();
  readonly #days = new Map<string, CampaignDay>();
  readonly #creatives = new Map<string, CreativeDay>();

  add({ coupon_id, day, campaign, clicks, conversions, creative_id }: CountedClicks): void {
    const counts = { clicks, conversions };
    const month = day.slice(0, '2026-03'.length);
    addTo(this.#months, `${coupon_id} ${month}`, { coupon_id, month, ...counts });
    addTo(this.#days, `${day} ${campaign}`, { day, campaign, ...counts });
    if (typeof creative_id !== 'number') return;
    addTo(this.#creatives, `${creative_id} ${day}`, { creative_id, day, ...counts });
  }

  async flush(tx: Transaction): Promise<void> {
    await Promise.all([
      tx.runMany(addToMonths, sorted(this.#months)),
      tx.runMany(addToDays, sorted(this.#days)),
      tx.runMany(addToCreatives, sorted(this.#creatives)),
    ]);
  }
}

export function addTo<S extends Counts>(sums: Map<string, S>, key: string, change: S): void {
  const known = sums.get(key);
  if (!known) sums.set(key, change);
  else {
    known.clicks += change.clicks;
    known.conversions += change.conversions;
  }
}

/** All transactions lock the rows in this order, so they cannot deadlock. */
export function sorted<S>(sums: Map<string, S>): S[] {
  return [...sums].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, sum]) => sum);
}

/** Flushed last, because all clicks of a day share the rows of that day. */
const pendingSums = defineWrites({
  name: 'click sums',
  after: 'attribution',
  create: () => new PendingSums(),
});

/** Adds clicks or conversions to the sums of the coupon's month and to those of the day over all coupons. */
export function addToClickSums(tx: Transaction, change: CountedClicks): void {
  tx.pending(pendingSums).add(change);
}
