import type { Transaction } from '../../../src/db/database.ts';
import { defineWrites, type PendingWrites } from '../../../src/db/unit-of-work.ts';
import type { Site } from '../../../src/kernel/declare/site.ts';
import { findCase } from '../cases/case-rows.ts';
import { openOrJoin, type Finding } from '../cases/open-case.ts';
import { mailCase } from '../review-mails.ts';
import { insertHolds, listAsked, updateHeld, type HoldRow } from './restraint-rows.ts';
import { keyOf } from './restraints.ts';

interface PendingFinding {
  readonly site: Site;
  readonly finding: Finding;
  readonly nowMs: number;
}

type Referral = Pick<HoldRow, 'order_id' | 'coupon_id'>;

/** Findings about new orders, and what cases hold of them: written after the referrals. */
class PendingCases implements PendingWrites {
  readonly findings: PendingFinding[] = [];
  /** What open cases about affiliates hold of their new orders. */
  readonly holds: HoldRow[] = [];
  /** Renewals of first payments that cases restrain. */
  readonly renewals: (Referral & { readonly first: Referral })[] = [];

  async flush(tx: Transaction): Promise<void> {
    const holding = new Map<number, PendingFinding>();
    for (const pending of this.findings) {
      const { site, finding, nowMs } = pending;
      const { id, beginsToHold } = await openOrJoin(tx, site, finding, nowMs);
      if (beginsToHold) holding.set(id, pending);
    }
    await tx.runMany(insertHolds, this.holds);
    for (const renewal of this.renewals) await holdRenewal(tx, renewal);
    const found = this.findings.map(({ finding }) => finding.referral?.order_id ?? 0);
    const held = [...this.holds, ...this.renewals].map(({ order_id }) => order_id);
    await updateHeld(tx, new Set([...found, ...held]));
    for (const [id, { site, nowMs }] of holding) {
      await mailCase(tx, site, (await findCase(tx, { id }))!, nowMs);
    }
  }
}

/** The first payment may be one of the same transaction. */
async function holdRenewal(
  tx: Transaction,
  { first, order_id, coupon_id }: PendingCases['renewals'][number],
): Promise<void> {
  const asked = await listAsked(tx, [first.order_id]);
  const cases = asked.filter((one) => keyOf(one) === keyOf(first));
  const holds = cases.map(({ case_id }) => ({ case_id, order_id, coupon_id }));
  await tx.runMany(insertHolds, holds);
}

export const pendingCases = defineWrites({
  name: 'review-cases',
  after: 'referrals',
  create: () => new PendingCases(),
});
