import { storedFacts, type StoredFacts } from './commission/facts.ts';
import type { ReferralTerms } from './commission/referral-terms.ts';
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

/** A referral with what decides about it; `stored`: the facts that it has, or would have. */
interface Sharing {
  readonly credited: CreditedReferral;
  readonly asked: { readonly stored: StoredFacts | undefined } | undefined;
}

function shareOf({ credited, asked }: Sharing): StoredFacts['share'] {
  return credited.share ?? asked?.stored?.share;
}

/** Whether a referral is a part of a commission that several coupons of the order share. */
export function isSharing(referral: Sharing): boolean {
  return shareOf(referral) !== undefined;
}

/**
 * Of referrals that share a commission, the one that it is computed for, and all that get a part: those whose coupon was
 * removed, and affiliates who ordered themselves, leave theirs to the others. Undefined for fewer than two.
 */
export function sharedAmong<T extends Sharing>(
  referrals: readonly T[],
): { leading: T; parts: readonly T[] } | undefined {
  const parts = referrals.filter(
    (one) => one.credited.row.dropped === 0 && !one.credited.self && isSharing(one),
  );
  if (parts.length < 2) return undefined;
  // An order that was decided keeps its terms when an affiliate joins.
  const leading =
    parts.find(({ credited: { kept, previous } }) => kept && previous?.dropped === 0) ??
    parts.find((one) => shareOf(one)!.coupon === one.credited.row.coupon_id);
  return { leading: leading ?? parts[0]!, parts };
}

/** Whether a referral was made to share one commission with others. */
function isShared(row: Pick<ReferralRow, 'facts'>): boolean {
  return storedFacts(row)?.share !== undefined;
}

/**
 * Gives the affiliates who share a commission equal parts of what the leading one would earn alone: all have its terms
 * and facts, so that the parts add up to it. Each part obeys the limits of its own affiliate, which are those of all
 * parts as if each affiliate had one.
 */
export function shareCommission(drafts: DraftReferral[]): DraftReferral[] {
  const parts = drafts
    .filter(({ row, terms }) => row.dropped === 0 && !terms.self && isShared(row))
    .sort((a, b) => a.row.coupon_id - b.row.coupon_id);
  if (parts.length < 2) return drafts;
  return drafts.map((draft) => {
    const index = parts.indexOf(draft);
    if (index === -1) return draft;
    const { rates } = draft.terms;
    const caps = rates.caps && capsOfAll(rates.caps, draft, parts.length);
    const share = { of: parts.length, index };
    return {
      ...draft,
      terms: { ...draft.terms, rates: { ...rates, ...(caps && { caps }), share } },
    };
  });
}

/** What the rules may add to the whole commission, if what is for one affiliate holds for each of its parts. */
function capsOfAll(
  caps: Readonly<Record<string, number>>,
  { credited }: DraftReferral,
  parts: number,
): Record<string, number> {
  const isOwn = new Set(
    credited.terms!.rules.flatMap(({ id, limit }) =>
      limit?.per === 'affiliate' ? [String(id)] : [],
    ),
  );
  return Object.fromEntries(
    Object.entries(caps).map(([id, cap]) => [id, isOwn.has(id) ? cap * parts : cap]),
  );
}
