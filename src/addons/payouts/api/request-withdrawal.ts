import Type from 'typebox';
import { ApiError } from '../../../kernel/declare/errors.ts';
import { CurrencyCode, Id } from '../../../kernel/declare/schemas.ts';
import { payoutOperation } from '../missing-tables.ts';
import { findPayableCoupon, type PayableCoupon } from '../payout/payout-rows.ts';
import {
  openAndPay,
  RequestedPayoutSchema,
  requestErrors,
  requireOwn,
  type RequestedPayout,
} from './request-payout.ts';
import { pendingPayoutExample } from './payout-wire.ts';

/** More than this are requested in several calls. */
const COUPONS_MAX = 50;

const RefusedSchema = Type.Object({
  coupon_id: Type.Integer({ description: 'The coupon.' }),
  code: Type.String({ description: 'The code that `POST /payouts` responds with.' }),
  message: Type.String({ description: 'The reason, as a sentence.' }),
});

const WithdrawalSchema = Type.Object(
  {
    currency: CurrencyCode,
    amount: Type.Number({ description: 'The sum of the payouts.' }),
    payouts: Type.Array(RequestedPayoutSchema, {
      description:
        'One for each coupon that can be paid out, the open one if there is one already.',
    }),
    refused: Type.Array(RefusedSchema, {
      description: 'The coupons that cannot be paid out. Their balances stay as they are.',
    }),
  },
  {
    $id: 'Withdrawal',
    examples: [
      {
        currency: 'USD',
        amount: pendingPayoutExample.amount,
        payouts: [{ ...pendingPayoutExample, gateway_triggered: false }],
        refused: [],
      },
    ],
  },
);

export const requestWithdrawal = payoutOperation({
  method: 'POST',
  namespace: 'store',
  path: '/withdrawals',
  summary: 'Request payouts of several coupons together',
  description:
    "For admins and the coupons' affiliate. Each coupon gets a payout of its own, as by `POST /payouts`, all with the " +
    'same time of the request. A coupon that cannot be paid out does not stop the others: it is listed in `refused`. ' +
    'If none can be paid out, the error of the first one is returned, with the reasons of all in its message.',
  access: 'owner',
  scope: 'write',
  body: Type.Object(
    {
      coupon_ids: Type.Array(Id('A coupon.'), {
        minItems: 1,
        maxItems: COUPONS_MAX,
        uniqueItems: true,
        description: `The coupons, ${COUPONS_MAX} at most.`,
      }),
    },
    { $id: 'RequestWithdrawal' },
  ),
  example: { body: { coupon_ids: [12, 15] } },
  status: 201,
  response: WithdrawalSchema,
  errors: requestErrors,
  // Each payout is opened in a transaction of its own, because a gateway may be called after it.
  transaction: false,
  async handle({ db, site, caller, nowMs }, input) {
    const coupons: PayableCoupon[] = [];
    for (const coupon_id of input.coupon_ids)
      coupons.push(requireOwn(await findPayableCoupon(db, { coupon_id }), caller));
    const payouts: RequestedPayout[] = [];
    const refused: { coupon_id: number; error: ApiError }[] = [];
    for (const coupon of coupons) {
      try {
        const { body } = await openAndPay(site, caller, coupon, { nowMs });
        // Not serialised yet.
        payouts.push(body as RequestedPayout);
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        refused.push({ coupon_id: coupon.coupon_id, error });
      }
    }
    const [first] = refused;
    if (first && payouts.length === 0) {
      const reasons = new Set(refused.map(({ error }) => error.message));
      const { definition, data } = first.error;
      throw new ApiError(definition, { message: [...reasons].join(' '), data });
    }
    const { currency } = site;
    const minor = payouts.reduce((sum, { amount }) => sum + (currency.toMinor(amount) ?? 0), 0);
    return {
      currency: currency.code,
      amount: currency.toMajor(minor),
      payouts,
      refused: refused.map(({ coupon_id, error }) => ({
        coupon_id,
        code: error.definition.code,
        message: error.message,
      })),
    };
  },
});
