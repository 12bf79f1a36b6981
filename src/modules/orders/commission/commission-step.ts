import Type, { type Static } from 'typebox';
import { StringEnum } from '../../../kernel/declare/schemas.ts';
import type { Fraction } from '../../../shared/money.ts';

/** What a rate may come from, in the order in which it is looked for. */
const rateSources = ['rule', 'renewals', 'product', 'coupon', 'group', 'store'] as const;
export type RateSource = (typeof rateSources)[number];

/** The parts of an order that may belong to the base. */
const baseParts = ['goods', 'product', 'shipping', 'tax', 'fees'] as const;
export type BasePart = (typeof baseParts)[number];

/** Why a part earns nothing: a rule excludes it, it is beyond a rule's limit, or it belongs to a renewal. */
const nothingReasons = ['excluded', 'limit', 'renewals'] as const;
export type NothingReason = (typeof nothingReasons)[number];

/** The facts of a step, for programs that explain it in another language. */
export const stepFacts = {
  percent: Type.Optional(Type.Number({ description: 'The percentage that applies.' })),
  rate_of: Type.Optional(
    StringEnum(rateSources, {
      description: 'The source of the rate.',
    }),
  ),
  rule_id: Type.Optional(Type.Integer({ description: 'The reward rule that decided.' })),
  because: Type.Optional(
    StringEnum(nothingReasons, {
      description: 'Why it earns nothing: by a rule, or as a renewal.',
    }),
  ),
  part: Type.Optional(
    StringEnum(baseParts, {
      description: 'The part of the order that the percentage applies to.',
    }),
  ),
  product_id: Type.Optional(Type.String({ description: 'The product that the part is.' })),
  product_name: Type.Optional(
    Type.String({ description: 'Its name, where the store has sent one.' }),
  ),
  quantity: Type.Optional(Type.Integer({ description: 'How many products earn the amount.' })),
  before_discount: Type.Optional(
    Type.Boolean({ description: 'True if the goods count before the discount.' }),
  ),
  includes: Type.Optional(
    Type.Array(StringEnum(baseParts), {
      description: 'Parts of the base besides the goods.',
    }),
  ),
  share_of: Type.Optional(
    Type.Integer({ description: 'Among how many affiliates the commission is shared.' }),
  ),
};
export type StepFacts = Static<Type.TObject<typeof stepFacts>>;

export const stepKinds = [
  'base',
  'percent',
  'fixed',
  'limit',
  'refund',
  'maximum',
  'rounding',
  'share',
] as const;

/** One step of the calculation, with its amount in minor units of the store's currency. */
export interface Step {
  readonly step: (typeof stepKinds)[number];
  readonly facts?: StepFacts;
  /** Exact; it may be finer than the smallest unit until the last step. */
  readonly amount: Fraction;
}
