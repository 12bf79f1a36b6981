import {
  ApiError,
  defineError,
  generalErrors,
  type ErrorDefinition,
} from '../../kernel/declare/errors.ts';
import type { Site } from '../../kernel/declare/site.ts';
import {
  detailsRequired,
  enabledMethods,
  invoiceMethods,
  payoutsEnabled,
  requestsEnabled,
  threshold,
} from './settings.ts';

/** What the rules look at. */
export interface Wish {
  readonly byAdmin: boolean;
  /** The affiliate that the coupon is assigned to. */
  readonly affiliateId: number | null;
  readonly isSuspended: boolean;
  /** Minor units. */
  readonly unpaid: number;
  /** How the affiliate wants to be paid, where it has said so. */
  readonly methodType: string | null;
}

interface Rule {
  readonly error: ErrorDefinition;
  refuses(wish: Wish, site: Site): boolean;
}

const rule = (code: string, status: number, message: string, refuses: Rule['refuses']): Rule => ({
  error: defineError(`svc_api_${code}`, status, message),
  refuses,
});

export const methodDisabled = defineError(
  'svc_api_method_disabled',
  400,
  "The affiliate's payout method is no longer enabled.",
);

/** In the order in which they are asked: the first that refuses is told. */
const rules: readonly Rule[] = [
  rule(
    'payouts_disabled',
    400,
    'Payouts are switched off.',
    (_, { settings }) => !settings.get(payoutsEnabled),
  ),
  rule(
    'requests_disabled',
    403,
    'Affiliates cannot request payouts at the moment.',
    ({ byAdmin }, { settings }) => !byAdmin && !settings.get(requestsEnabled),
  ),
  rule(
    'no_affiliate',
    400,
    'The coupon has no affiliate assigned.',
    ({ affiliateId }) => affiliateId === null,
  ),
  rule('no_balance', 400, 'There is no unpaid balance.', ({ unpaid }) => unpaid <= 0),
  rule(
    'below_threshold',
    400,
    "The unpaid balance is below the store's minimum for a payout.",
    ({ unpaid }, { settings, currency }) => currency.toMajor(unpaid) < settings.get(threshold),
  ),
  rule(
    'no_payout_details',
    400,
    'The affiliate has saved no payout details.',
    ({ methodType }, { settings }) => methodType === null && settings.get(detailsRequired),
  ),
  {
    error: methodDisabled,
    refuses: ({ byAdmin, methodType }, { settings }) =>
      !byAdmin && methodType !== null && !settings.get(enabledMethods).includes(methodType),
  },
  rule(
    'invoice_required',
    400,
    'This payout method needs an invoice, which cannot be uploaded through the API.',
    ({ methodType }, { settings }) =>
      methodType !== null && settings.get(invoiceMethods).includes(methodType),
  ),
];

export const ruleErrors = rules.map(({ error }) => error);

/** The first refusal. */
export function refusalOf(wish: Wish, site: Site): ApiError | undefined {
  // Read in the transaction that opens the payout: the caller may have been suspended a moment ago.
  if (wish.isSuspended && !wish.byAdmin) return new ApiError(generalErrors.suspended);
  const refusing = rules.find(({ refuses }) => refuses(wish, site));
  return refusing && new ApiError(refusing.error);
}
