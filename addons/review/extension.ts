import {
  isFunction,
  type Extension,
  type ExtensionHook,
} from '../../src/kernel/declare/extension.ts';
import type { Site } from '../../src/kernel/declare/site.ts';
import { isStorable } from '../../src/shared/storable.ts';

declare module '../../src/kernel/declare/extension.ts' {
  interface Extension {
    /**
     * Looks at an order that an affiliate is about to be credited for. A verdict opens a case. It runs in the
     * transaction of the order, so it must answer at once, from what it has in memory.
     */
    judgeReferral?(referral: ReferralToJudge): ReferralVerdict | undefined;
  }
}

/** An order that is credited to a coupon for the first time. Amounts are in the store's currency. */
export interface ReferralToJudge {
  order_id: number;
  /** The affiliate. */
  user_id: number;
  coupon_id: number;
  /** The click that led to the order. */
  click_id: number | null;
  /** The connected store that the order comes from. */
  store_id: number | null;
  /** When the order was placed, in milliseconds since 1970. */
  placed_at: number;
  status: string;
  total: number;
  discount: number;
  currency: string;
  country: string | null;
  /** The domain of the customer's email address. */
  mail_domain: string | null;
}

export interface ReferralVerdict {
  /** `note` opens a case that holds nothing, `hold` one that holds the commission, `reject` makes it void at once. */
  action: 'note' | 'hold' | 'reject';
  /** A sentence for the team. It is stored, so it should contain no personal data. */
  reason: string;
}

export const reviewHooks: readonly ExtensionHook[] = [
  { name: 'judgeReferral', expected: 'be a function', isValid: isFunction },
];

/** The extensions that judge referrals. */
export function judgesOf({ extensions }: Pick<Site, 'extensions'>): readonly Extension[] {
  return extensions.all.filter(({ judgeReferral }) => judgeReferral);
}

/** The verdict of an extension. One that fails has none: the order must not be lost. */
export function verdictBy(
  extension: Extension,
  { log }: Pick<Site, 'log'>,
  referral: ReferralToJudge,
): ReferralVerdict | undefined {
  try {
    const verdict: unknown = extension.judgeReferral?.(referral);
    if (verdict === undefined || verdict === null) return undefined;
    if (isVerdict(verdict)) return verdict;
    // Its failure is of no interest any more, and must not end the process.
    if (verdict instanceof Promise) verdict.catch(() => undefined);
    throw new Error('It must return an action and a reason of at most 500 characters at once.');
  } catch (error) {
    const { order_id } = referral;
    log.warn({ err: error, extension: extension.name, order_id }, 'judgeReferral failed');
    return undefined;
  }
}

const REASON_LENGTH_MAX = 500;

/** Extensions may be written in JavaScript, so anything may come back. */
function isVerdict(value: unknown): value is ReferralVerdict {
  const { action, reason } = value as Partial<ReferralVerdict>;
  return (
    (action === 'note' || action === 'hold' || action === 'reject') &&
    typeof reason === 'string' &&
    reason.trim() !== '' &&
    reason.length <= REASON_LENGTH_MAX &&
    isStorable(reason)
  );
}
