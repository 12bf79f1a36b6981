import Type from 'typebox';
import { operation } from '../../../src/kernel/declare/operation.ts';
import { StringEnum } from '../../../src/kernel/declare/schemas.ts';
import { PAST_DAYS } from '../past/order-traces.ts';
import { tryRule } from '../past/try-rule.ts';
import { anyThresholds, checkOptions, ruleNames } from '../rules/rules.ts';
import { rulesNow } from '../settings.ts';

export const tryReviewRule = operation({
  method: 'POST',
  namespace: 'store',
  path: '/review/rules/{name}/try',
  summary: 'Try a rule of the review on past orders',
  description:
    'Finds what the rule would have found in the last days, whatever its action is. Thresholds that are sent are used ' +
    'instead of those that are saved. It changes nothing. For `code_leaked`, clicks from coupon sites are left out.',
  access: 'admin',
  scope: 'manage',
  long: true,
  params: Type.Object({ name: StringEnum(ruleNames, { description: 'The rule.' }) }),
  body: Type.Object(
    {
      days: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: PAST_DAYS,
          default: PAST_DAYS,
          description: 'How many days it looks back.',
        }),
      ),
      ...anyThresholds,
    },
    { $id: 'TryReviewRule' },
  ),
  example: { body: { days: 30 } },
  response: Type.Object(
    {
      orders: Type.Integer({ description: 'How many orders it would have found.' }),
      amount: Type.Number({
        description:
          "Their commission as it is now, in the store's currency: what the rule would have held.",
      }),
      affiliates: Type.Integer({ description: 'How many affiliates these concern.' }),
    },
    { $id: 'TriedReviewRule', examples: [{ orders: 14, amount: 1240, affiliates: 6 }] },
  ),
  check: ({ days: _days, ...input }, errors) => checkOptions(input, errors),
  // It only reads, and waits for no writer.
  transaction: false,
  async handle({ site }, { name, days = PAST_DAYS, ...thresholds }) {
    const now = rulesNow(site);
    const found = await tryRule(site, name, days, {
      ...now,
      [name]: { ...now[name], ...thresholds },
    });
    const { orders, amount, affiliates } = found;
    return { orders, amount: site.currency.toMajor(amount), affiliates };
  },
});
