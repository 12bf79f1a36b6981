import type { Reader } from '../../db/database.ts';
import {
  ApiError,
  defineError,
  generalErrors,
  type ErrorDefinition,
} from '../../kernel/declare/errors.ts';
import type { Gateway } from './extension.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { findMethod } from './methods.ts';
import { hasBeenPaid, type AssignedCoupon, type PayableCoupon } from './payout-store.ts';
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
} from './settings.ts';

const HOUR_MS = 60 * 60_000;

interface Rule {
  readonly error: ErrorDefinition;
  refuses(coupon: PayableCoupon, byAdmin: boolean, site: Site): boolean;
}

const rule = (code: string, status: number, message: string, refuses: Rule['refuses']): Rule => ({
  error: defineError(code, status, message),
  refuses,
});

export const methodDisabled = defineError(
  'svc_api_method_disabled',
  400,
  "The affiliate's payout method is not enabled.",
);

/** In order of precedence: the caller gets the first refusal. */
const rules: readonly Rule[] = [
  rule(
    'svc_api_payouts_disabled',
    400,
    'Payouts are disabled.',
    (_coupon, _byAdmin, { settings }) => !settings.get(payoutsEnabled),
  ),
  rule(
    'svc_api_requests_disabled',
    403,
    'Affiliates cannot request payouts at the moment.',
    (_coupon, byAdmin, { settings }) => !byAdmin && !settings.get(requestsEnabled),
  ),
  rule(
    'svc_api_no_affiliate',
    400,
    'The coupon has no affiliate assigned.',
    ({ user_id }) => user_id === null,
  ),
  rule('svc_api_no_balance', 400, 'The coupon has no unpaid balance.', ({ unpaid }) => unpaid <= 0),
  rule(
    'svc_api_below_threshold',
    400,
    "The unpaid balance is below the store's minimum payout.",
    ({ unpaid }, _byAdmin, { settings, currency }) =>
      currency.toMajor(unpaid) < settings.get(threshold),
  ),
  rule(
    'svc_api_no_payout_details',
    400,
    'The affiliate has not saved any payout details.',
    ({ method_type }, _byAdmin, { settings }) =>
      method_type === null && settings.get(detailsRequired),
  ),
  {
    error: methodDisabled,
    refuses: ({ method_type }, byAdmin, { settings }) =>
      !byAdmin && method_type !== null && !settings.get(enabledMethods).includes(method_type),
  },
  rule(
    'svc_api_invoice_required',
    400,
    'This payout method requires an invoice, and invoices cannot be uploaded through the API.',
    ({ method_type }, _byAdmin, { settings }) =>
      method_type !== null && settings.get(invoiceMethods).includes(method_type),
  ),
];

export const ruleErrors = rules.map(({ error }) => error);

/** Throws the first refusal of a new payout. */
export function requirePayable(
  coupon: PayableCoupon,
  byAdmin: boolean,
  site: Site,
): asserts coupon is AssignedCoupon {
  // Checked here as well as when the call is authorised: the affiliate may have been suspended since.
  if (coupon.affiliate_status === 'suspended' && !byAdmin) {
    throw new ApiError(generalErrors.suspended);
  }
  const broken = rules.find(({ refuses }) => refuses(coupon, byAdmin, site));
  if (broken) throw new ApiError(broken.error);
}

/** The gateway that pays without a review, if the settings allow that for this payout. */
export async function findImmediateGateway(
  db: Reader,
  site: Site,
  coupon: AssignedCoupon,
  nowMs: number,
): Promise<Gateway | undefined> {
  const { settings, currency } = site;
  const { method_type, details_at } = coupon;
  if (!settings.get(autoAccept) || method_type === null || details_at === null) return undefined;
  if (coupon.affiliate_status === 'suspended') return undefined;
  if (currency.toMajor(coupon.unpaid) > settings.get(autoAcceptMax)) return undefined;
  if (details_at + settings.get(detailsHoldHours) * HOUR_MS > nowMs) return undefined;
  if (settings.get(firstByHand) && !(await hasBeenPaid(db, coupon.user_id))) return undefined;
  return findMethod(site, method_type)?.gateway(site);
}
