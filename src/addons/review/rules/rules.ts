import Type, { type Static, type TObject, type TSchema } from 'typebox';
import { AD_PARAMETERS } from '../clicks/ad-parameters.ts';
import { CAMPAIGN_LENGTH_MAX } from '../../../modules/clicks/index.ts';
import type { FieldErrors } from '../../../kernel/declare/field-errors.ts';
import { StringEnum } from '../../../kernel/declare/schemas.ts';

/** What a rule does with what it finds. */
export const actions = ['off', 'note', 'hold', 'reject'] as const;
export type Action = (typeof actions)[number];

const Domains = (description: string) =>
  Type.Array(Type.String({ minLength: 1, maxLength: 253, examples: ['acme.shop'] }), {
    maxItems: 500,
    uniqueItems: true,
    description,
  });

const Names = (description: string, item: { maxLength: number; pattern?: string }) =>
  Type.Array(Type.String({ minLength: 1, ...item }), {
    maxItems: 500,
    uniqueItems: true,
    description,
  });

/** The thresholds of each rule, besides its action. */
const thresholds = {
  own_order: {},
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
      { maxLength: 50, pattern: '^[\\w.-]+$' },
    ),
    campaigns: Names('Campaigns of links that may be advertised: the rule leaves them out.', {
      maxLength: CAMPAIGN_LENGTH_MAX,
    }),
  },
  banned_referrers: {
    hosts: Names(
      'Hosts that affiliates may not promote on, such as `deals.example`; `*.deals.example` stands for all hosts below it.',
      { maxLength: 253, pattern: '^(\\*\\.)?[^\\s*/:?#@]+$' },
    ),
  },
} satisfies Record<string, Record<string, TSchema>>;

export type RuleName = keyof typeof thresholds;
export const ruleNames = Object.keys(thresholds) as RuleName[];

const ActionSchema = StringEnum(actions, {
  description:
    '`off`: the rule does not look. `note`: it opens a case that holds nothing. `hold`: the case holds the commission. ' +
    '`reject`: the commission is void at once.',
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
  same_people: { action: 'note', public_domains: [] },
  first_order_above: { action: 'off', amount: 1_000 },
  throwaway_mail: { action: 'note', domains: [] },
  paid_ads: { action: 'note', parameters: AD_PARAMETERS, campaigns: [] },
  banned_referrers: { action: 'hold', hosts: [] },
};

/** The schema of a rule's options, each of them optional: what is left out stays as it is. */
export function optionsSchema(name: RuleName): TObject {
  const fields = { action: ActionSchema, ...(thresholds[name] as Record<string, TSchema>) };
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
  action: Type.Optional(ActionSchema),
};

/** Adds an error for each option that the rule does not have. */
export function checkOptions(
  { name, ...options }: { readonly name?: RuleName },
  errors: FieldErrors,
): void {
  if (name === undefined) return;
  for (const key of Object.keys(options)) {
    if (!(key in defaultOptions[name])) errors.add(key, `is not an option of ${name}`);
  }
}
