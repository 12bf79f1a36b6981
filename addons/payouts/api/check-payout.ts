import Type, { type Static } from 'typebox';
import type { Reader } from '../../../src/db/database.ts';
import { isAdmin, type Caller } from '../../../src/kernel/declare/caller.ts';
import { generalErrors } from '../../../src/kernel/declare/errors.ts';
import { CurrencyCode, Id, Nullable } from '../../../src/kernel/declare/schemas.ts';
import type { Site } from '../../../src/kernel/declare/site.ts';
import { listHolds } from '../../../src/modules/orders/index.ts';
import { findMethod } from '../gateways/methods.ts';
import { payoutOperation } from '../missing-tables.ts';
import { inProgress } from '../payout/open-payouts.ts';
import { isAssigned, type PayableAccount } from '../payout/payable-accounts.ts';
import { belowThreshold, brokenRules, noBalance } from '../payout/payout-rules.ts';
import { threshold } from '../settings.ts';
import { findOwnAccount, notCreated, refusalOf } from './request-payout.ts';

const ProblemSchema = Type.Object(
  {
    code: Type.String({ description: 'The code that `POST /payouts` responds with.' }),
    message: Type.String({ description: 'The reason, as a sentence.' }),
    data: Type.Record(Type.String(), Type.Unknown(), {
      description:
        '`minimum` and `missing` of `svc_api_below_threshold`, `method_type` of a method that cannot be used, ' +
        '`payout_id` of `svc_api_in_progress`.',
    }),
  },
  { $id: 'PayoutProblem' },
);

const CheckSchema = Type.Object(
  {
    coupon_id: Type.Integer({ description: 'The coupon.' }),
    possible: Type.Boolean({ description: 'True if a payout can be requested now.' }),
    currency: CurrencyCode,
    amount: Type.Number({
      description: 'The amount that would be paid: the unpaid balance, never below 0.',
    }),
    minimum: Type.Number({ description: 'The smallest amount of a payout; 0 for none.' }),
    method_type: Type.String({ description: 'The saved payout method; empty for none.' }),
    method: Type.String({ description: 'Its display name.' }),
    open_payout_id: Nullable(
      Type.Integer({ description: 'The payout of this coupon that is under way.' }),
    ),
    possible_from: Nullable(
      Type.String({
        format: 'date',
        description:
          'If only the balance is too small: the day on which enough commission on hold is released; null if what ' +
          'is on hold does not suffice.',
      }),
    ),
    problems: Type.Array(ProblemSchema, {
      description: 'Everything that forbids a payout now, in the order of the checks.',
    }),
  },
  {
    $id: 'PayoutCheck',
    examples: [
      {
        coupon_id: 12,
        possible: false,
        currency: 'USD',
        amount: 12.5,
        minimum: 50,
        method_type: 'banktransfer',
        method: 'Bank transfer',
        open_payout_id: null,
        possible_from: '2026-03-03',
        problems: [
          {
            code: belowThreshold.code,
            message: belowThreshold.message,
            data: { minimum: 50, missing: 37.5 },
          },
        ],
      },
    ],
  },
);

type Problem = Static<typeof ProblemSchema>;

export const checkPayout = payoutOperation({
  method: 'GET',
  namespace: 'store',
  path: '/coupons/{id}/payout-check',
  summary: 'Check whether a payout of a coupon can be requested now',
  description:
    "For admins and the coupon's affiliate, and for a former one about what it still has on the coupon. Lists every rule that forbids a payout to this caller, not only the " +
    'first: `POST /payouts` would respond with the code of the first problem. While a payout is open, the first ' +
    'problem is `svc_api_in_progress`; `POST /payouts` then returns that payout.',
  access: 'owner',
  scope: 'read',
  params: Type.Object({ id: Id('The coupon.') }),
  response: CheckSchema,
  errors: [generalErrors.notFound],
  async handle({ db, site, caller }, { id }) {
    const coupon = await findOwnAccount(db, caller, id);
    const { settings, currency } = site;
    const type = coupon.method_type ?? '';
    const problems = await problemsOf(site, caller, coupon);
    return {
      coupon_id: id,
      possible: problems.length === 0,
      currency: currency.code,
      amount: currency.toMajor(Math.max(coupon.unpaid, 0)),
      minimum: settings.get(threshold),
      method_type: type,
      method: findMethod(site, type)?.label ?? type,
      open_payout_id: coupon.open_id,
      possible_from: await possibleFrom(db, site, coupon, problems),
      problems,
    };
  },
});

async function problemsOf(site: Site, caller: Caller, coupon: PayableAccount): Promise<Problem[]> {
  const broken = brokenRules(coupon, isAdmin(caller), site).map(({ error, detail }) => ({
    code: error.code,
    message: error.message,
    data: detail,
  }));
  if (coupon.open_id !== null) {
    const message = 'A payout of this coupon is under way.';
    const data = { payout_id: coupon.open_id };
    return [{ code: inProgress.code, message, data }, ...broken];
  }
  if (broken.length > 0 || !isAssigned(coupon)) return broken;
  const refusal = await refusalOf(site, coupon);
  return refusal === undefined ? [] : [{ code: notCreated.code, message: refusal, data: {} }];
}

async function possibleFrom(
  db: Reader,
  site: Site,
  coupon: PayableAccount,
  problems: readonly Problem[],
): Promise<string | null> {
  const waiting = new Set([noBalance.code, belowThreshold.code]);
  if (problems.length === 0 || !problems.every(({ code }) => waiting.has(code))) return null;
  let unpaid = coupon.unpaid;
  const { user_id: userId, coupon_id } = coupon;
  const { holds } = await listHolds(db, site, { userId, couponIds: [coupon_id] });
  for (const { until, amount } of holds) {
    unpaid += amount;
    if (unpaid > 0 && site.currency.toMajor(unpaid) >= site.settings.get(threshold)) return until;
  }
  return null;
}
