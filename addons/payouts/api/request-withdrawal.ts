import Type from 'typebox';
import type { Reader } from '../../../src/db/database.ts';
import { isAdmin, type Caller } from '../../../src/kernel/declare/caller.ts';
import { ApiError, generalErrors } from '../../../src/kernel/declare/errors.ts';
import { CurrencyCode, Id } from '../../../src/kernel/declare/schemas.ts';
import { payoutOperation } from '../missing-tables.ts';
import {
  findPayableAccount,
  listPayableAccounts,
  requireOwn,
  type PayableAccount,
} from '../payout/payable-accounts.ts';
import { noBalance } from '../payout/payout-rules.ts';
import { pendingPayoutExample } from './payout-wire.ts';
import {
  findOwnAccount,
  openAndPay,
  RequestedPayoutSchema,
  requestErrors,
  type RequestedPayout,
} from './request-payout.ts';

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
    "For admins and the coupons' affiliate, also a former one that still has a balance there. Each coupon gets a payout of its own, as by `POST /payouts`, all with the " +
    'same time of the request. A coupon that cannot be paid out does not stop the others: it is listed in `refused`. ' +
    'If none can be paid out, the error of the first one is returned, with the reasons of all in its message.',
  access: 'owner',
  scope: 'write',
  proof: 'sometimes',
  body: Type.Object(
    {
      coupon_ids: Type.Optional(
        Type.Array(Id('A coupon.'), {
          minItems: 1,
          maxItems: COUPONS_MAX,
          uniqueItems: true,
          description:
            `The coupons, ${COUPONS_MAX} at most. Left out: all with an unpaid balance, former ones of the affiliate ` +
            `included, the ${COUPONS_MAX} highest balances at most.`,
        }),
      ),
      user_id: Type.Optional(
        Id(
          'The affiliate whose balances they are, for admins. Left out: the caller, or the affiliate of each coupon.',
        ),
      ),
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
    const accounts = await findAccounts(db, caller, input);
    if (accounts.length === 0) throw new ApiError(noBalance);
    const payouts: RequestedPayout[] = [];
    const refused: { coupon_id: number; error: ApiError }[] = [];
    for (const account of accounts) {
      try {
        const { body } = await openAndPay(site, caller, account, { nowMs });
        // Not serialised yet.
        payouts.push(body as RequestedPayout);
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        refused.push({ coupon_id: account.coupon_id, error });
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

/** The requested balances. What belongs to another affiliate looks like what does not exist. */
async function findAccounts(
  db: Reader,
  caller: Caller,
  { coupon_ids, user_id }: { coupon_ids?: number[]; user_id?: number },
): Promise<PayableAccount[]> {
  const ownId = caller.person?.id;
  if (user_id !== undefined && user_id !== ownId && !isAdmin(caller)) {
    throw new ApiError(generalErrors.notFound);
  }
  if (coupon_ids === undefined) {
    const userId = user_id ?? ownId;
    if (userId === undefined) return [];
    return listPayableAccounts(db, { user_id: userId, limit: COUPONS_MAX });
  }
  const accounts: PayableAccount[] = [];
  for (const coupon_id of coupon_ids) {
    accounts.push(
      user_id === undefined
        ? await findOwnAccount(db, caller, coupon_id)
        : requireOwn(await findPayableAccount(db, { coupon_id, user_id }), caller),
    );
  }
  return accounts;
}
