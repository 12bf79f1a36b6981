import Type, { type Static, type TObject, type TSchema } from 'typebox';
import type { FieldErrors } from '../../../src/kernel/declare/field-errors.ts';
import { StringEnum } from '../../../src/kernel/declare/schemas.ts';
import { CAMPAIGN_LENGTH_MAX } from '../../../src/modules/clicks/index.ts';
import { AD_PARAMETERS } from '../clicks/ad-parameters.ts';
import { COUPON_SITES } from '../patterns/coupon-sites.ts';

/** What a rule does with what it finds. */
export const actions = ['off', 'note', 'hold', 'reject'] as const;
export type Action = (typeof actions)[number];

/** A pattern concerns an affiliate, not an order that could be void at once. */
const patternActions = ['off', 'note', 'hold'] as const;

const Domains = (description: string) =>
  Type.Array(Type.String({ minLength: 1, maxLength: 253, examples: ['acme.shop'] }), {
    maxItems: 500,
    uniqueItems: true,
    description,
  });

const Names = (
  description: string,
  item: { maxLength: number; pattern?: string; examples: string[] },
) =>
  Type.Array(Type.String({ minLength: 1, ...item }), {
    maxItems: 500,
    uniqueItems: true,
    description,
  });

const Times = Type.Number({
  minimum: 1,
  maximum: 1_000,
  description: 'How many times the usual is found.',
});
const Orders = Type.Integer({
  minimum: 1,
  maximum: 1_000_000,
  description: 'Fewer orders than this are not judged.',
});

/** The thresholds of each rule, besides its action. */
const thresholds = {
  own_order: {},
  duplicate_affiliates: {},
  same_people: {
    public_domains: Domains(
      'Domains at which anyone can have a mailbox, besides those that the rule knows.',
    ),
  },
  first_order_above: {
    amount: Type.Number({
      minimum: 0,
      description: "In the store's currency: a first order above it is found.",
    }),
  },
  throwaway_mail: {
    domains: Domains('Domains of throw-away mailboxes, besides those that the rule knows.'),
  },
  paid_ads: {
    parameters: Names(
      'Names of parameters that mark an ad on a landing address. The rule looks for these and no others.',
      { maxLength: 50, pattern: '^[\\w.-]+$', examples: ['gclid'] },
    ),
    campaigns: Names('Campaigns of links that may be advertised: the rule leaves them out.', {
      maxLength: CAMPAIGN_LENGTH_MAX,
      examples: ['spring'],
    }),
  },
  banned_referrers: {
    hosts: Names(
      'Hosts that affiliates may not promote on, such as `deals.example`; `*.deals.example` stands for all hosts below it.',
      { maxLength: 253, pattern: '^(\\*\\.)?[^\\s*/:?#@]+$', examples: ['*.deals.example'] },
    ),
  },
  code_leaked: {
    times: Times,
    orders: Orders,
    sites: Names(
      'Coupon sites, such as `deals.example`, which stands for all hosts below it as well: three clicks from them in a day are found.',
      { maxLength: 253, pattern: '^[^\\s*/:?#@]+$', examples: ['deals.example'] },
    ),
  },
  unusual_volume: {
    times: Times,
    orders: Orders,
    clicks: Type.Integer({
      minimum: 1,
      maximum: 10_000_000,
      description: 'Fewer clicks than this in a day are not judged.',
    }),
    conversion: Type.Number({
      minimum: 0,
      maximum: 1,
      description: 'The share of clicks that lead to an order: a larger one is found.',
    }),
  },
  many_refunds: {
    share: Type.Number({
      minimum: 0,
      maximum: 1,
      description: 'The share of the last orders that were refunded: a larger one is found.',
    }),
    orders: Orders,
  },
} satisfies Record<string, Record<string, TSchema>>;

export type RuleName = keyof typeof thresholds;
export const ruleNames = Object.keys(thresholds) as RuleName[];

/** What opens cases: the rules, and extensions of the site, which have no options. */
export const finderNames = [...ruleNames, 'extension' as const];
export type FinderName = (typeof finderNames)[number];

const actionSchema = (values: readonly Action[]) =>
  StringEnum(values, {
    description:
      '`off`: the rule does not look. `note`: it opens a case that holds nothing. `hold`: the case holds the ' +
      'commission. `reject`: the commission is void at once.',
  });

type Options<Name extends RuleName> = {
  [Key in keyof (typeof thresholds)[Name]]: (typeof thresholds)[Name][Key] extends TSchema
    ? Static<(typeof thresholds)[Name][Key]>
    : never;
};

export type RuleOptions<Name extends RuleName = RuleName> = {
  readonly action: Action;
} & Options<Name>;

export type AllRuleOptions = { readonly [Name in RuleName]: RuleOptions<Name> };

export const defaultOptions: AllRuleOptions = {
  own_order: { action: 'reject' },
  duplicate_affiliates: { action: 'hold' },
  same_people: { action: 'note', public_domains: [] },
  first_order_above: { action: 'off', amount: 1_000 },
  throwaway_mail: { action: 'note', domains: [] },
  paid_ads: { action: 'note', parameters: AD_PARAMETERS, campaigns: [] },
  banned_referrers: { action: 'hold', hosts: [] },
  code_leaked: { action: 'note', times: 3, orders: 10, sites: COUPON_SITES },
  unusual_volume: { action: 'note', times: 10, orders: 20, clicks: 500, conversion: 0.4 },
  many_refunds: { action: 'hold', share: 0.3, orders: 15 },
};

/** The rules that look at affiliates over time. */
export const patternNames = ['code_leaked', 'unusual_volume', 'many_refunds'] as const;
export type PatternName = (typeof patternNames)[number];

export function actionsOf(name: RuleName): readonly Action[] {
  return patternNames.some((pattern) => pattern === name) ? patternActions : actions;
}

/** The schema of a rule's options, each of them optional: what is left out stays as it is. */
export function optionsSchema(name: RuleName): TObject {
  const fields = {
    action: actionSchema(actionsOf(name)),
    ...(thresholds[name] as Record<string, TSchema>),
  };
  return Type.Object(
    Object.fromEntries(Object.entries(fields).map(([key, schema]) => [key, Type.Optional(schema)])),
    { additionalProperties: false },
  );
}

/** The thresholds of all rules in one schema, for operations on any of them. */
export const anyThresholds: Record<string, TSchema> = Object.fromEntries(
  Object.values(thresholds)
    .flatMap((fields) => Object.entries(fields as Record<string, TSchema>))
    .map(([key, schema]) => [key, Type.Optional(schema)]),
);

export const anyOptions: Record<string, TSchema> = {
  ...anyThresholds,
  action: Type.Optional(actionSchema(actions)),
};

/** Adds an error for each option that the rule does not have, and for an action that it cannot have. */
export function checkOptions(
  { name, ...options }: { readonly name?: RuleName; readonly action?: unknown },
  errors: FieldErrors,
): void {
  if (name === undefined) return;
  for (const key of Object.keys(options)) {
    if (!(key in defaultOptions[name])) errors.add(key, `is not an option of ${name}`);
  }
  const { action } = options;
  if (!actionsOf(name).some((known) => known === (action ?? known))) {
    errors.add('action', `must be one of ${actionsOf(name).join(', ')}`);
  }
}
