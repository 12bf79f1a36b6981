import type { ReferralTerms } from './commission/referral-terms.ts';
import type { StoredFacts } from './commission/facts.ts';
import type { CreditedColumns, CreditedReferral } from './credited-referral.ts';
import type { ReferralRow } from './order-rows.ts';
import type { Several } from './settings.ts';

/** A referral before its commission is computed. */
export interface DraftReferral {
  readonly previous: ReferralRow | undefined;
  readonly terms: ReferralTerms;
  readonly row: CreditedColumns;
  readonly credited: CreditedReferral;
}

/** The affiliates that one order is credited to, as far as the setting admits them. */
export class CreditedAffiliates {
  readonly several: Several;
  readonly #ids: Set<number>;

  /** `referrals`: those that the order has and keeps. It stays as it was first credited, whatever the setting is now. */
  constructor(setting: Several, referrals: readonly ReferralRow[]) {
    this.#ids = new Set(referrals.map(({ user_id }) => user_id));
    const isKept = setting === 'share' && referrals.length > 0;
    this.several = referrals.some(isShared) ? 'share' : isKept ? 'each' : setting;
  }

  /** Whether one more coupon is credited. A shared commission has one part for each affiliate. */
  admit(affiliate: number): boolean {
    if (this.several === 'first' && this.#ids.size > 0) return false;
    if (this.several === 'share' && this.#ids.has(affiliate)) return false;
    this.#ids.add(affiliate);
    return true;
  }
}

/** Whether a referral is a part of a commission that several coupons of the order share. */
export function isSharing({
  credited,
  asked,
}: {
  readonly credited: Pick<CreditedReferral, 'share'>;
  readonly asked: { readonly stored: StoredFacts | undefined } | undefined;
}): boolean {
  return (credited.share ?? asked?.stored?.share) !== undefined;
}

/** Whether a referral was made to share one commission with others. */
function isShared({ facts }: Pick<ReferralRow, 'facts'>): boolean {
  // Only facts are stored there.
  return facts !== null && (JSON.parse(facts) as StoredFacts).share !== undefined;
}

/**
 * Gives the affiliates who share a commission equal parts of what the first of them would earn alone: all get its
 * terms and facts, so that the parts always add up to it. Those whose coupon was removed, and affiliates who ordered
 * themselves, leave their part to the others.
 */
export function shareCommission(drafts: DraftReferral[]): DraftReferral[] {
  if (drafts.length < 2) return drafts;
  const sharing = drafts.filter(
    ({ row, terms }) => row.dropped === 0 && !terms.self && isShared(row),
  );
  if (sharing.length < 2) return drafts;
  // An order that was decided keeps its terms when an affiliate joins.
  const first =
    sharing.find(({ credited, previous }) => credited.kept && previous?.dropped === 0) ??
    sharing[0]!;
  const parts = sharing.toSorted((a, b) => a.row.coupon_id - b.row.coupon_id);
  return drafts.map((draft) => {
    const index = parts.indexOf(draft);
    if (index === -1) return draft;
    const rates = { ...first.terms.rates, share: { of: parts.length, index } };
    return {
      ...draft,
      terms: { ...first.terms, rates },
      row: { ...draft.row, terms: first.row.terms, facts: first.row.facts },
      credited: { ...draft.credited, terms: first.credited.terms },
    };
  });
}
