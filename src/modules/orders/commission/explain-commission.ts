import Type from 'typebox';
import { isAdmin, type Caller } from '../../../kernel/declare/caller.ts';
import { ApiError, generalErrors } from '../../../kernel/declare/errors.ts';
import { operation } from '../../../kernel/declare/operation.ts';
import { Id, Nullable, StringEnum } from '../../../kernel/declare/schemas.ts';
import type { Site } from '../../../kernel/declare/site.ts';
import { exampleOf } from '../../../kernel/present/openapi/examples.ts';
import { textIn } from '../../../shared/texts.ts';
import { languageOf } from '../../web/index.ts';
import { productNamesIn } from '../order-content.ts';
import type { PreparedOrder } from '../order-input.ts';
import { findOrder, listReferrals, type ReferralRow } from '../order-rows.ts';
import { DateDecided, ReferralSchema, toReferral } from '../order-wire.ts';
import { findRejected } from '../restraints.ts';
import { orderStatuses } from '../settings.ts';
import { toPrepared } from '../stored-order.ts';
import { creditingFields } from '../tables.ts';
import { stepFacts, stepKinds, type Step, type StepFacts } from './commission-step.ts';
import { computeCommission } from './commission.ts';
import { DecidedFrom, decidedFrom, DecidingRule, rulesOfReferrals } from './explain-decision.ts';
import { ratedOrder } from './facts.ts';
import type { ReferralTerms } from './referral-terms.ts';
import { readTerms } from './terms.ts';

const voidReasons = ['coupon_removed', 'self_referral', 'order_status', 'rejected'] as const;

const FactsSchema = Type.Object(
  {
    ...stepFacts,
    reason: Type.Optional(StringEnum(voidReasons, { description: 'Why the order earns nothing.' })),
    status: Type.Optional(
      StringEnum(orderStatuses, { description: 'The status because of which it earns nothing.' }),
    ),
  },
  { description: 'The facts of the step, for an explanation in other words.' },
);

export const ExplanationSchema = Type.Object({
  ...ReferralSchema.properties,
  credited_by: StringEnum(creditingFields, {
    description: 'The field of the order that led to the coupon.',
  }),
  click_id: Nullable(Type.Integer({ description: 'The click that the order is a conversion of.' })),
  self_referral: Type.Boolean({ description: "The affiliate's own order, which earns nothing." }),
  steps: Type.Array(
    Type.Object(
      {
        step: StringEnum([...stepKinds, 'void']),
        explanation: Type.String({ description: 'The step in words.' }),
        facts: FactsSchema,
        amount: Type.Number({ description: 'To six decimals, before rounding.' }),
      },
      { $id: 'CommissionStep' },
    ),
    { description: 'The steps in the order of the calculation.' },
  ),
});

export const explainCommission = operation({
  method: 'GET',
  namespace: 'store',
  path: '/orders/{order_id}/commission',
  summary: 'Explain how the commission of an order was computed',
  description:
    'For admins, and for the affiliate that has a coupon of the order now, even if another affiliate had it before.',
  access: 'owner',
  scope: 'read',
  params: Type.Object({ order_id: Id("The store's number of the order.") }),
  response: Type.Object(
    {
      order_id: Type.Integer({ description: "The store's number of the order." }),
      currency: Type.String({
        description: "The store's currency, in which all amounts are given.",
      }),
      date_decided: DateDecided,
      referrals: Type.Array(
        Type.Object(
          {
            ...ExplanationSchema.properties,
            decided_from: Nullable(DecidedFrom),
            rules: Type.Array(DecidingRule, {
              description:
                'The reward rules that decided the rates, and above them the first one that nearly did.',
            }),
          },
          { $id: 'CommissionOfReferral' },
        ),
      ),
    },
    {
      $id: 'CommissionOfOrder',
      examples: [
        {
          order_id: 1042,
          currency: 'USD',
          date_decided: '2026-01-20T14:05:11',
          referrals: [
            {
              ...(exampleOf(ReferralSchema) as object),
              credited_by: 'coupon_codes',
              click_id: null,
              self_referral: false,
              decided_from: { customer: 'first', payment: null, counters: [], limits: [] },
              rules: [],
              steps: [
                {
                  step: 'base',
                  explanation: 'The goods after discount.',
                  facts: { before_discount: false, includes: [] },
                  amount: 125,
                },
                {
                  step: 'percent',
                  explanation: '10 % of the goods (rate of the store).',
                  facts: { percent: 10, rate_of: 'store', part: 'goods' },
                  amount: 12.5,
                },
                {
                  step: 'rounding',
                  explanation: 'Rounded once, half away from zero.',
                  facts: {},
                  amount: 12.5,
                },
              ],
            },
          ],
        },
      ],
    },
  ),
  errors: [generalErrors.notFound],
  async handle({ db, site, caller, request }, { order_id }) {
    const row = await findOrder(db, { order_id });
    const referrals = row ? await listReferrals(db, { order_id }) : [];
    const own = isAdmin(caller) ? referrals : ofOwner(caller, referrals);
    if (!row || (own.length === 0 && !isAdmin(caller))) throw new ApiError(generalErrors.notFound);
    const order = toPrepared(site, row);
    const reading = {
      db,
      site,
      language: languageOf(site, request),
      isOwner: isAdmin(caller),
      products: productNamesIn(order),
    };
    const terms = await readTerms(db, site, own);
    const [rules, rejected] = await Promise.all([
      rulesOfReferrals(reading, ratedOrder(order, row.store_id), own, terms),
      findRejected(db, site, own),
    ]);
    return {
      order_id,
      currency: site.currency.code,
      date_decided: site.calendar.toLocal(row.decided_at),
      referrals: own.map((referral) => ({
        ...explain(site, order, referral, rejected.has(referral)),
        decided_from: isAdmin(caller)
          ? decidedFrom(site, referral, terms.get(referral.terms ?? ''))
          : null,
        rules: rules.get(referral.coupon_id) ?? [],
      })),
    };
  },
});

/** The referrals that the caller earned on, also where the coupon is another affiliate's now. */
function ofOwner({ person }: Caller, referrals: readonly ReferralRow[]) {
  return referrals.filter(({ user_id }) => user_id === person?.id);
}

/** How the commission of a referral is computed, step by step. */
export function explain(
  site: Site,
  order: PreparedOrder,
  referral: ReferralRow,
  isRejected = false,
) {
  const { rates, rules, self } = JSON.parse(referral.rates) as ReferralTerms;
  const { steps } = computeCommission(order.figures, rates, rules, order.exchange);
  const names = productNamesIn(order);
  return {
    ...toReferral(referral, site),
    credited_by: referral.credited_by,
    click_id: referral.click_id,
    self_referral: self,
    steps: [
      ...steps.map((one) => ({
        step: one.step,
        explanation: explainStep(one, order.figures.items.length > 0),
        facts: withName(one.facts, names),
        amount: shown(site, one.amount),
      })),
      // The steps above tell what it would earn.
      ...(referral.state === 'void'
        ? [{ step: 'void' as const, ...whyVoid(referral, self, isRejected), amount: 0 }]
        : []),
    ],
  };
}

function withName(facts: StepFacts = {}, names: ReadonlyMap<string, string>): StepFacts {
  const name = names.get(facts.product_id ?? '');
  return name === undefined ? facts : { ...facts, product_name: name };
}

function whyVoid({ dropped, status }: ReferralRow, self: boolean, isRejected: boolean) {
  const ofOrder = isRejected ? 'rejected' : 'order_status';
  const reason = dropped ? 'coupon_removed' : self ? 'self_referral' : ofOrder;
  return {
    explanation: textIn('en', `api.commission.void.${reason}`, { status }),
    facts: { reason, ...(reason === 'order_status' && { status }) } as const,
  };
}

function shown(site: Site, { numerator, denominator }: Step['amount']): number {
  const millionths = (numerator * 1_000_000n) / denominator;
  return Number(millionths) / 1_000_000 / 10 ** site.currency.decimals;
}

/**
 * A step of the calculation as a sentence. The API is in English.
 *
 * @public For tests.
 */
export function explainStep({ step, facts = {}, amount }: Step, hasProducts: boolean): string {
  const { percent = 0, rate_of: source = 'store', part, product_id: product = '' } = facts;
  const { quantity, before_discount: isBefore, includes = [], because, rule_id: rule = 0 } = facts;
  switch (step) {
    case 'base': {
      const goods = hasProducts ? 'products' : 'goods';
      const parts = includes.join(', ');
      return textIn('en', `api.commission.base.${goods}.${isBefore ? 'before' : 'after'}`, {
        with: parts && textIn('en', 'api.commission.with', { parts }),
      });
    }
    case 'percent':
      if (because) return textIn('en', `api.commission.nothing.${because}`, { product, rule });
      return part === 'product' || part === 'goods'
        ? textIn('en', `api.commission.percent.${part}`, { percent, product, source })
        : textIn('en', 'api.commission.percent.part', { percent, part: part!, source });
    case 'fixed':
      return quantity === undefined
        ? textIn('en', 'api.commission.fixed.order', { source })
        : textIn('en', 'api.commission.fixed.products', { quantity, source });
    case 'refund':
      return textIn('en', `api.commission.refund.${amount.numerator === 0n ? 'full' : 'part'}`);
    case 'share':
      return textIn('en', 'api.commission.share', { of: facts.share_of! });
    default:
      return textIn('en', `api.commission.${step}`);
  }
}
