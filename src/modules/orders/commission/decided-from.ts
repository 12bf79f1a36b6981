import Type, { type Static } from 'typebox';
import { Nullable, StringEnum } from '../../../kernel/declare/schemas.ts';
import type { Site } from '../../../kernel/declare/site.ts';
import { countsMoney } from '../../rewards/index.ts';
import type { ReferralRow } from '../order-rows.ts';
import { factsOf } from './facts.ts';
import type { Terms } from './terms.ts';

const RuleId = Type.Integer({ description: 'The reward rule.' });

export const DecidedFrom = Type.Object(
  {
    customer: Nullable(
      StringEnum(['first', 'repeat'], {
        description: 'Whether it was the first order of its customer; null if no rule asked.',
      }),
    ),
    payment: Nullable(
      Type.Integer({ description: 'Which payment of a subscription it is; null without one.' }),
    ),
    counters: Type.Array(
      Type.Object({
        rule_id: RuleId,
        value: Type.Number({ description: 'What the affiliate had collected before this order.' }),
      }),
      { description: 'By rule with steps.' },
    ),
    limits: Type.Array(
      Type.Object({
        rule_id: RuleId,
        earned: Type.Number({ description: 'What the rule had earned before this order.' }),
      }),
      { description: 'By rule that limits a sum.' },
    ),
  },
  {
    $id: 'DecidedFrom',
    description: 'The facts that decided when the order first counted; only for administrators.',
  },
);

/** The facts by which a referral was decided, in the units that people read. */
export function decidedFrom(
  { currency }: Site,
  referral: ReferralRow,
  terms: Terms | undefined,
): Static<typeof DecidedFrom> {
  const { customer = null, payment = null, counters = {}, spent = {} } = factsOf(referral);
  const stepsOf = (id: number) => terms?.rules.find((rule) => rule.id === id)?.rate.steps;
  return {
    customer,
    payment,
    counters: Object.entries(counters).map(([id, value]) => {
      const steps = stepsOf(Number(id));
      const isMoney = steps !== undefined && countsMoney(steps.by);
      return { rule_id: Number(id), value: isMoney ? currency.toMajor(value) : value };
    }),
    limits: Object.entries(spent).map(([id, earned]) => ({
      rule_id: Number(id),
      earned: currency.toMajor(earned),
    })),
  };
}
