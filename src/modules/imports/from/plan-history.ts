import { createHash } from 'node:crypto';
import type { AffiliateGroup, AffiliateGroups } from './affiliate-groups.ts';
import { instantOf } from './dates.ts';
import type { PayoutItem, PayoutState, ReferralItem, ReferralState } from './model.ts';
import type { ReportedLine } from './reported-line.ts';
import { exactAmount, requireCurrency, RowError } from './row.ts';
import type { PlanContext } from './system.ts';

/** A referral or payout of the old system, which is stored as history. */
export interface PlannedHistory {
  readonly group: AffiliateGroup;
  readonly line: ReportedLine;
  readonly kind: 'referral' | 'payout';
  readonly externalId: string;
  readonly state: ReferralState | PayoutState;
  readonly amount: number;
  readonly sale: number | null;
  readonly reference: string;
  readonly happenedAt: number | null;
}

/** Collects history, and what is owed according to it. */
export class HistoryPlan {
  readonly planned: PlannedHistory[] = [];
  readonly #groups: AffiliateGroups;
  readonly #context: PlanContext;
  readonly #seen = new Map<string, PlannedHistory>();
  /** How often a file has had a digest. */
  readonly #equal = new Map<string, number>();

  constructor(groups: AffiliateGroups, context: PlanContext) {
    this.#groups = groups;
    this.#context = context;
  }

  add(item: ReferralItem | PayoutItem, line: ReportedLine): void {
    const { currency, calendar, nowMs } = this.#context;
    requireCurrency(item.currency, currency);
    const group = this.#groups.ownerOf(item.owner, line);
    const amount = exactAmount(item.amount, currency);
    const instant = item.date === undefined ? undefined : instantOf(item.date, calendar);
    if (item.date !== undefined && instant === undefined) {
      line.messages.push(`the date "${item.date}" could be several days; it is left out`);
    }
    const externalId = item.id ?? this.#idOf(item, amount, line);
    const same = this.#seen.get(`${item.kind} ${externalId}`);
    if (same) {
      const place = `line ${same.line.line} of ${same.line.file}`;
      if (same.state !== item.state || same.amount !== amount) {
        throw new RowError(`contradicts ${place}: give only the newer file`);
      }
      line.outcome = 'known';
      line.messages.push(`the same as ${place}`);
      return;
    }
    const planned: PlannedHistory = {
      group,
      line,
      kind: item.kind,
      externalId,
      state: item.state,
      amount,
      sale: item.kind === 'referral' && item.sale ? exactAmount(item.sale, currency) : null,
      reference: item.reference ?? '',
      happenedAt: instant === undefined ? null : Math.min(instant, nowMs),
    };
    this.#seen.set(`${item.kind} ${externalId}`, planned);
    this.planned.push(planned);
  }

  /**
   * An id for a record without one: a digest of what does not change when its state does. Equal records of one file
   * are counted; those of two files that overlap are the same.
   */
  #idOf(item: ReferralItem | PayoutItem, amount: number, { file }: ReportedLine): string {
    const facts = item.reference ? [item.reference] : [item.date, amount];
    const digest = createHash('sha256').update(
      JSON.stringify([item.kind, item.owner[0], ...facts]),
    );
    const id = digest.digest('hex').slice(0, 24);
    const n = (this.#equal.get(`${file} ${id}`) ?? 0) + 1;
    this.#equal.set(`${file} ${id}`, n);
    return n === 1 ? id : `${id}-${n}`;
  }

  /**
   * What is owed where no file states it: unpaid referrals. Of referrals that are only approved, payouts tell what has
   * been paid; without any payout nothing is known, and nothing is added.
   */
  computeOpenings(): void {
    const sums = new Map<AffiliateGroup, Sums>();
    for (const { group, kind, state, amount } of this.planned) {
      const sum = sums.get(group) ?? { ...noSums };
      if (kind === 'referral') {
        // Referrals have the states of referrals.
        sum[state as ReferralState] += amount;
        sum.referrals += 1;
      } else if (state === 'paid') {
        sum.payouts += amount;
      }
      sums.set(group, sum);
    }
    const payoutsKnown = this.planned.some(({ kind }) => kind === 'payout');
    for (const [group, sum] of sums) {
      group.pending = sum.pending;
      if (sum.referrals === 0) continue;
      if (sum.approved !== 0 && !payoutsKnown) {
        group.unknown = sum.approved;
        continue;
      }
      const paidOfApproved = Math.max(0, sum.payouts - sum.paid);
      group.computed = sum.unpaid + (sum.approved === 0 ? 0 : sum.approved - paidOfApproved);
    }
  }
}

type Sums = Record<ReferralState | 'payouts' | 'referrals', number>;

const noSums: Sums = {
  pending: 0,
  approved: 0,
  unpaid: 0,
  paid: 0,
  rejected: 0,
  payouts: 0,
  referrals: 0,
};
