import Type from 'typebox';
import { generalErrors } from '../../kernel/declare/errors.ts';
import { operation } from '../../kernel/declare/operation.ts';
import { CurrencyCode, Id } from '../../kernel/declare/schemas.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { requireOwnAffiliate } from '../affiliates/index.ts';
import { findAccountsOf } from '../coupons/index.ts';
import { listHolds } from '../orders/index.ts';
import { addBalances, balanceOf, holdsWithin, mapBalance, type Balance } from './balance.ts';

const balanceSchemas = {
  earned: Type.Number({
    description:
      'All commission that was granted or is held back, without what was taken back: ' +
      '`on_hold + available + on_its_way + paid − taken_back`.',
  }),
  on_hold: Type.Number({
    description:
      'Of completed orders, held for `commission.delay_days`. It becomes available automatically.',
  }),
  available: Type.Number({ description: 'Can be paid out: the positive unpaid balances.' }),
  on_its_way: Type.Number({ description: 'In payouts that are requested and not yet paid.' }),
  paid: Type.Number({ description: 'Paid out.' }),
  taken_back: Type.Number({
    description:
      'Commission that was paid out, or is in a payout, and whose order was refunded or cancelled since: the ' +
      'negative unpaid balances, as a positive amount. Later commission of the same coupon makes up for it.',
  }),
  awaiting: Type.Number({
    description: 'Commission of orders that are not completed. Not part of `earned`.',
  }),
  in_review: Type.Number({
    description:
      'Commission that the store reviews. It is paid once the store has cleared it. Not part of `earned`.',
  }),
};

const example = {
  earned: 294,
  on_hold: 31.5,
  available: 50,
  on_its_way: 0,
  paid: 212.5,
  taken_back: 0,
  awaiting: 12.5,
  in_review: 0,
};

export const getBalance = operation({
  method: 'GET',
  namespace: 'store',
  path: '/affiliates/{id}/balance',
  summary: "An affiliate's balance: what was earned, and where that money is",
  description:
    'For admins and the affiliate itself. The sums of the ledger over all coupons of the affiliate, former ones included, shares of other ' +
    "affiliates' orders and adjustments included. `earned = on_hold + available + on_its_way + paid − taken_back` " +
    'holds exactly, for the affiliate and for each coupon.',
  access: 'owner',
  scope: 'read',
  params: Type.Object({ id: Id('The affiliate.') }),
  response: Type.Object(
    {
      user_id: Type.Integer({ description: 'The affiliate.' }),
      currency: CurrencyCode,
      ...balanceSchemas,
      holds: Type.Array(
        Type.Object({
          until: Type.String({ format: 'date', description: 'The day on which it is released.' }),
          amount: Type.Number(),
        }),
        { description: 'Amounts on hold by the day of their release, earliest first.' },
      ),
      coupons: Type.Array(
        Type.Object({ id: Type.Integer(), code: Type.String(), ...balanceSchemas }),
        { description: 'The same for each coupon that the affiliate has or had.' },
      ),
    },
    {
      $id: 'AffiliateBalance',
      examples: [
        {
          user_id: 7,
          currency: 'USD',
          ...example,
          holds: [{ until: '2026-03-03', amount: 31.5 }],
          coupons: [{ id: 12, code: 'MAYA10', ...example }],
        },
      ],
    },
  ),
  errors: [generalErrors.notFound],
  async handle({ db, site, caller }, { id }) {
    await requireOwnAffiliate(db, caller, id);
    const accounts = await findAccountsOf(db, id);
    const { holds: found, inReview } = await listHolds(db, site, {
      userId: id,
      couponIds: accounts.map(({ coupon_id }) => coupon_id),
    });
    const ofCoupon = Map.groupBy(found, ({ couponId }) => couponId);
    const rows = accounts.map((account) => {
      const { coupon_id, awaiting } = account;
      // As in `holdsWithin`: a decision between the two statements has moved it out of the pool.
      const reviewed = Math.min(inReview.get(coupon_id) ?? 0, Math.max(awaiting, 0));
      const holds = holdsWithin(awaiting - reviewed, ofCoupon.get(coupon_id) ?? []);
      const held = holds.reduce((sum, { amount }) => sum + amount, 0);
      return { account, holds, balance: balanceOf(account, held, reviewed) };
    });
    const holds = new Map<string, number>();
    for (const { until, amount } of rows.flatMap((row) => row.holds)) {
      holds.set(until, (holds.get(until) ?? 0) + amount);
    }
    return {
      user_id: id,
      currency: site.currency.code,
      ...toMajor(addBalances(rows.map(({ balance }) => balance)), site),
      holds: [...holds]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([until, amount]) => ({ until, amount: site.currency.toMajor(amount) })),
      coupons: rows.map(({ account, balance }) => ({
        id: account.coupon_id,
        code: account.code,
        ...toMajor(balance, site),
      })),
    };
  },
});

function toMajor(balance: Balance, { currency }: Site): Balance {
  return mapBalance((name) => currency.toMajor(balance[name]));
}
