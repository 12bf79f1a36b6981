import { randomInt } from 'node:crypto';
import Type, { type Static } from 'typebox';
import type { Transaction } from '../../db/database.ts';
import { actorId, type Caller } from '../../kernel/declare/caller.ts';
import { operation } from '../../kernel/declare/operation.ts';
import { CurrencyCode, Id, LocalTime, Nullable, StringEnum } from '../../kernel/declare/schemas.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { exampleOf } from '../../kernel/present/openapi/examples.ts';
import { findCouponWithTwins } from '../coupons/index.ts';
import { checkTriedRules, TriedRules, triedRules, type RuleList } from '../rewards/index.ts';
import { findUser, toPerson, toUser, UserSchema } from '../users/index.ts';
import { explain, ExplanationSchema } from './commission/explain-commission.ts';
import { explainRules, losingReasons } from './commission/explain-decision.ts';
import { factsOf, ratedOrder } from './commission/facts.ts';
import { readTerms } from './commission/terms.ts';
import { ingestOrders } from './ingest-orders.ts';
import { orderFields } from './order-fields.ts';
import { checkOrder, type PreparedOrder } from './order-input.ts';
import type { ReferralRow } from './order-rows.ts';
import { NO_ORDER_ID, readOrder } from './read-order.ts';
import { releaseDateOf } from './restraints.ts';

const TriedRule = Type.Object(
  {
    id: Nullable(Id('The rule; null for a new one that is tried.')),
    position: Type.Integer({ minimum: 1, description: 'Which one of the active rules it is.' }),
    matched: Type.Boolean({ description: 'Whether it decides a rate of the order.' }),
    because: Nullable(
      StringEnum(losingReasons, {
        description:
          'Why it decides nothing: the first condition that does not hold, or `above` if rules above it decide ' +
          'everything that it sets. Null if it decides.',
      }),
    ),
  },
  { $id: 'TriedRule' },
);

export const TriedOrderSchema = Type.Object(
  {
    total: Type.Number({ description: 'The amount of the order.' }),
    currency: CurrencyCode,
    referrals: Type.Array(
      Type.Object({
        ...ExplanationSchema.properties,
        coupon_code: Type.String({ description: 'The code of the coupon.' }),
        affiliate: UserSchema,
        rules: Type.Array(TriedRule, {
          description: 'All active reward rules, in their order; empty if there are none.',
        }),
        payable_from: Nullable(
          LocalTime('When the commission could be paid; null if it could be paid immediately.'),
        ),
      }),
      { description: 'Whom the order would be credited to; empty if to no affiliate.' },
    ),
  },
  {
    $id: 'TriedOrder',
    examples: [
      {
        total: 125,
        currency: 'USD',
        referrals: [
          {
            // The example of an object schema is an object.
            ...(exampleOf(ExplanationSchema) as object | undefined),
            coupon_id: 12,
            user_id: 7,
            commission: 12.5,
            state: 'granted',
            credited_via: 'coupon',
            credited_by: 'coupon_codes',
            click_id: null,
            self_referral: false,
            steps: [
              {
                step: 'percent',
                explanation: '10 % of the goods (rate of the store).',
                facts: { percent: 10, rate_of: 'store', part: 'goods' },
                amount: 12.5,
              },
            ],
            coupon_code: 'MAYA10',
            affiliate: {
              id: 7,
              display_name: 'Maya Ortiz',
              login: 'maya',
              email: 'maya@example.com',
            },
            rules: [{ id: 4, position: 1, matched: false, because: 'who' }],
            payable_from: null,
          },
        ],
      },
    ],
  },
);

export type TriedOrder = Static<typeof TriedOrderSchema>;

export const tryOrder = operation({
  method: 'POST',
  namespace: 'store',
  path: '/orders/test',
  summary: 'Try an order: whom it is credited to, and what it earns',
  description:
    'The order goes through the same steps as an order of the store, in a transaction that is rolled back: nothing ' +
    'is stored, no event and no email is sent, and no figure changes.',
  access: 'admin',
  scope: 'write',
  body: Type.Object(
    {
      total: Type.Number({ exclusiveMinimum: 0, description: 'The amount of the goods.' }),
      coupon_codes: orderFields.coupon_codes,
      referral_code: orderFields.referral_code,
      rules: Type.Optional(TriedRules),
    },
    { $id: 'TryOrder' },
  ),
  example: { body: { total: 125, coupon_codes: ['MAYA10'] } },
  response: TriedOrderSchema,
  check(input, errors, site) {
    checkOrder(input, errors, site);
    checkTriedRules(input.rules, errors, site);
  },
  // It is rolled back, and the caller gets its result.
  transaction: false,
  async handle({ site, caller }, { rules, ...input }) {
    const nowMs = site.clock();
    const order = readOrder(site, {
      ...input,
      order_id: NO_ORDER_ID,
      date: new Date(nowMs).toISOString(),
      status: 'completed',
      subtotal: input.total,
    });
    const list = rules && {
      // No other list has the same: terms are remembered by the version of their rules.
      version: -randomInt(2 ** 47),
      rules: (await triedRules(site.database.read, site, rules)).filter(({ active }) => active),
    };
    return rollBackOrder(site, caller, order, list);
  },
});

const ROLLED_BACK = new Error('rolled back on purpose');

/** Stores an order in a transaction that is rolled back; resolves to what it would have earned. */
export async function rollBackOrder(
  site: Site,
  caller: Caller,
  order: PreparedOrder,
  /** Rules that are tried instead of the saved ones. */
  list?: RuleList,
): Promise<TriedOrder> {
  let tried: TriedOrder['referrals'] = [];
  try {
    await site.database.transaction(async (tx) => {
      const context = { actorId: actorId(caller), nowMs: site.clock() };
      const [stored] = await ingestOrders(tx, site, [{ order, context }], list);
      tried = await explainTried(tx, site, caller, order, stored!.referrals);
      // What the database itself would refuse, it refuses here too.
      await tx.flush();
      throw ROLLED_BACK;
    });
  } catch (error) {
    if (error !== ROLLED_BACK) throw error;
  }
  const { currency } = site;
  return { total: currency.toMajor(order.total), currency: currency.code, referrals: tried };
}

async function explainTried(
  tx: Transaction,
  site: Site,
  caller: Caller,
  order: PreparedOrder,
  referrals: readonly ReferralRow[],
): Promise<TriedOrder['referrals']> {
  const terms = await readTerms(tx, site, referrals);
  const rated = ratedOrder(order, order.storeId);
  const tried = referrals.map(async (referral) => {
    const coupon = (await findCouponWithTwins(tx, referral.coupon_id))!;
    const user = (await findUser(tx, referral.user_id))!;
    // A new referral has terms.
    const rules = explainRules(terms.get(referral.terms!)!, rated, factsOf(referral));
    return {
      ...explain(site, order, referral),
      coupon_code: coupon.code,
      affiliate: toUser(toPerson(user), caller),
      rules: rules.map(({ rule, because }, i) => ({
        id: rule.id > 0 ? rule.id : null,
        position: i + 1,
        matched: because === null,
        because,
      })),
      payable_from: site.calendar.toLocal(releaseDateOf(referral)),
    };
  });
  return Promise.all(tried);
}
