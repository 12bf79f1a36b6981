import type { Transaction } from '../../../src/db/database.ts';
import {
  ApiError,
  defineError,
  generalErrors,
  type ErrorDefinition,
} from '../../../src/kernel/declare/errors.ts';
import type { Site } from '../../../src/kernel/declare/site.ts';
import { HOUR_MS } from '../../../src/shared/durations.ts';
import type { Gateway } from '../extension.ts';
import { findMethod } from '../gateways/methods.ts';
import {
  autoAccept,
  autoAcceptMax,
  detailsHoldHours,
  detailsRequired,
  enabledMethods,
  firstByHand,
  invoiceMethods,
  payoutsEnabled,
  requestsEnabled,
  threshold,
} from '../settings.ts';
import type { AssignedAccount, PayableAccount } from './payable-accounts.ts';
import { hasBeenPaid, sumAccepted } from './payout-rows.ts';

export const noBalance = defineError(
  'svc_api_no_balance',
  400,
  'The coupon has no unpaid balance.',
);

export const belowThreshold = defineError(
  'svc_api_below_threshold',
  400,
  "The unpaid balance is below the store's minimum payout.",
);

export const noPayoutDetails = defineError(
  'svc_api_no_payout_details',
  400,
  'The affiliate has not saved any payout details.',
);

interface Rule {
  readonly error: ErrorDefinition;
  refuses(coupon: PayableAccount, byAdmin: boolean, site: Site): boolean;
  /** Figures for people: what is missing, and how much. */
  detail?(coupon: PayableAccount, site: Site): Record<string, unknown>;
}

export const methodDisabled = defineError(
  'svc_api_method_disabled',
  400,
  "The affiliate's payout method is not enabled.",
);

const minimum = ({ unpaid }: PayableAccount, { settings, currency }: Site) => ({
  minimum: settings.get(threshold),
  // Both are exact decimals; their difference as a binary number may not be.
  missing: Number((settings.get(threshold) - currency.toMajor(unpaid)).toFixed(currency.decimals)),
});

const method = ({ method_type }: PayableAccount) => ({ method_type });

/** In order of precedence: a request gets the first refusal, a check gets all of them. */
const rules: readonly Rule[] = [
  {
    // Checked here as well as when a request is authorised: the affiliate may have been suspended since.
    error: generalErrors.suspended,
    refuses: ({ affiliate_status }, byAdmin) => affiliate_status === 'suspended' && !byAdmin,
  },
  {
    error: defineError('svc_api_payouts_disabled', 400, 'Payouts are disabled.'),
    refuses: (_coupon, _byAdmin, { settings }) => !settings.get(payoutsEnabled),
  },
  {
    error: defineError(
      'svc_api_requests_disabled',
      403,
      'Affiliates cannot request payouts at the moment.',
    ),
    refuses: (_coupon, byAdmin, { settings }) => !byAdmin && !settings.get(requestsEnabled),
  },
  {
    error: defineError('svc_api_no_affiliate', 400, 'The coupon has no affiliate assigned.'),
    refuses: ({ user_id }) => user_id === null,
  },
  {
    error: noBalance,
    refuses: ({ unpaid }) => unpaid <= 0,
  },
  {
    error: belowThreshold,
    refuses: ({ unpaid }, _byAdmin, { settings, currency }) =>
      currency.toMajor(unpaid) < settings.get(threshold),
    detail: minimum,
  },
  {
    error: noPayoutDetails,
    refuses: ({ method_type }, _byAdmin, { settings }) =>
      method_type === null && settings.get(detailsRequired),
  },
  {
    error: methodDisabled,
    refuses: ({ method_type }, byAdmin, { settings }) =>
      !byAdmin && method_type !== null && !settings.get(enabledMethods).includes(method_type),
    detail: method,
  },
  {
    error: defineError(
      'svc_api_invoice_required',
      400,
      'This payout method requires an invoice, and invoices cannot be uploaded through the API.',
    ),
    refuses: ({ method_type }, _byAdmin, { settings }) =>
      method_type !== null && settings.get(invoiceMethods).includes(method_type),
    detail: method,
  },
];

/** The errors that this add-on defines for its rules. */
export const ruleErrors = rules
  .map(({ error }) => error)
  .filter((error) => error !== generalErrors.suspended);

/** A rule that a coupon breaks now. */
export interface BrokenRule {
  readonly error: ErrorDefinition;
  readonly detail: Record<string, unknown>;
}

/** All rules that forbid a new payout of this coupon, in order of precedence. */
export function brokenRules(coupon: PayableAccount, byAdmin: boolean, site: Site): BrokenRule[] {
  return rules
    .filter(({ refuses }) => refuses(coupon, byAdmin, site))
    .map(({ error, detail }) => ({ error, detail: detail?.(coupon, site) ?? {} }));
}

/** Throws the first refusal of a new payout. */
export function requirePayable(
  coupon: PayableAccount,
  byAdmin: boolean,
  site: Site,
): asserts coupon is AssignedAccount {
  const [first] = brokenRules(coupon, byAdmin, site);
  if (first) throw new ApiError(first.error);
}

/**
 * The gateway that pays without a review, if the settings allow that for this payout. The limit holds for everything
 * that an affiliate gets in this way on a day. Until the transaction ends, no other one adds to it.
 */
export async function findImmediateGateway(
  tx: Transaction,
  site: Site,
  coupon: AssignedAccount,
  nowMs: number,
): Promise<Gateway | undefined> {
  const { settings, currency } = site;
  const { method_type, details_at } = coupon;
  if (!settings.get(autoAccept) || method_type === null || details_at === null) return undefined;
  if (coupon.affiliate_status === 'suspended') return undefined;
  const holdMs = settings.get(detailsHoldHours) * HOUR_MS;
  // Without a hold nothing is compared: the clocks of two instances may differ by some milliseconds.
  if (holdMs > 0 && details_at + holdMs > nowMs) return undefined;
  if (settings.get(firstByHand) && !(await hasBeenPaid(tx, coupon.user_id))) return undefined;
  const gateway = findMethod(site, method_type)?.gateway(site);
  if (!gateway) return undefined;
  await tx.lock(`payouts.auto-accept ${coupon.user_id}`);
  const accepted = await sumAccepted(tx, coupon.user_id, site.calendar.dayOf(nowMs));
  const isWithin = currency.toMajor(accepted + coupon.unpaid) <= settings.get(autoAcceptMax);
  return isWithin ? gateway : undefined;
}
