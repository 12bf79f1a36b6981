import type { Transaction } from '../../db/database.ts';
import { insertRows } from '../../db/statements/rows-query.ts';
import { defineWrites, type PendingWrites } from '../../db/unit-of-work.ts';

interface CampaignDay {
  readonly day: string;
  readonly campaign: string;
  clicks: number;
  conversions: number;
}

const addDays = insertRows<CampaignDay>(
  'campaign_days',
  { day: 'text', campaign: 'text', clicks: 'number', conversions: 'number' },
  { on: ['day', 'campaign'], add: ['clicks', 'conversions'] },
);

class PendingDays implements PendingWrites {
  readonly #days = new Map<string, CampaignDay>();

  add({ day, campaign, clicks, conversions }: CampaignDay): void {
    const key = `${day} ${campaign}`;
    const known = this.#days.get(key) ?? { day, campaign, clicks: 0, conversions: 0 };
    known.clicks += clicks;
    known.conversions += conversions;
    this.#days.set(key, known);
  }

  flush(tx: Transaction): Promise<void> {
    // All transactions lock the rows in this order, so they cannot deadlock.
    const sorted = [...this.#days].sort(([a], [b]) => (a < b ? -1 : 1));
    return tx.runMany(
      addDays,
      sorted.map(([, day]) => day),
    );
  }
}

/** Flushed last, because all clicks of a day share the rows of that day. */
const pendingDays = defineWrites({
  name: 'campaign days',
  after: 'attribution',
  create: () => new PendingDays(),
});

/** Adds clicks or conversions to the sums over all coupons. */
export function addToCampaignDays(tx: Transaction, change: CampaignDay): void {
  tx.pending(pendingDays).add(change);
}
