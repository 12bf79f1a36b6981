import Type from 'typebox';
import { apiGroup } from '../../src/kernel/declare/setting-groups.ts';
import {
  defineMoneySetting,
  defineSetting,
  inGroup,
  type SettingDefinition,
} from '../../src/kernel/declare/setting.ts';
import type { Site } from '../../src/kernel/declare/site.ts';
import { unknownIn } from '../../src/kernel/declare/switches.ts';
import { methodsOf } from './gateways/methods.ts';

const AMOUNT_MAX = 1_000_000;

const MethodList = Type.Array(Type.String({ pattern: '^[a-z][a-z0-9_-]{0,39}$' }), {
  maxItems: 50,
  uniqueItems: true,
});

const knownMethods = (site: Site) => methodsOf(site).map(({ type }) => type);

function methodsSetting(
  key: string,
  methods: string[],
  help: string,
): SettingDefinition<typeof MethodList> {
  const unknown = (types: string[], site: Site) => unknownIn(types, knownMethods(site));
  const setting = defineMoneySetting(key, MethodList, methods, help, unknown);
  return { ...setting, choices: knownMethods };
}

export const payoutsEndpoints = defineSetting(
  'api.payouts_endpoints',
  Type.Boolean(),
  true,
  'Enables the /payouts endpoints. If off, they answer like unknown paths; everything else keeps working.',
);

export const payoutsEnabled = defineMoneySetting(
  'payouts.enabled',
  Type.Boolean(),
  true,
  'Payouts can be requested.',
);

export const requestsEnabled = defineMoneySetting(
  'payouts.requests_enabled',
  Type.Boolean(),
  true,
  'Affiliates can request payouts themselves. Admins always can.',
);

export const threshold = defineMoneySetting(
  'payouts.threshold',
  Type.Number({ minimum: 0, maximum: AMOUNT_MAX }),
  0,
  'Minimum amount of a payout, also for requests by admins.',
);

export const detailsRequired = defineMoneySetting(
  'payouts.details_required',
  Type.Boolean(),
  true,
  'A payout requires saved payout details.',
);

export const enabledMethods = methodsSetting(
  'payouts.methods',
  ['banktransfer', 'credit'],
  'Payout methods that affiliates can choose: banktransfer, paypal, stripe, wise, credit.',
);

export const invoiceMethods = methodsSetting(
  'payouts.invoice_methods',
  [],
  'Payout methods that require an invoice. Invoices cannot be uploaded through the API.',
);

export const autoAccept = defineSetting(
  'payouts.auto_accept',
  Type.Boolean(),
  false,
  'Payouts by a gateway are paid immediately, without a review.',
);

export const autoAcceptMax = defineSetting(
  'payouts.auto_accept_max',
  Type.Number({ minimum: 0, maximum: AMOUNT_MAX }),
  200,
  'Maximum amount that each affiliate is paid without a review in a day. A request that exceeds it with those before it needs a review.',
);

export const firstByHand = defineSetting(
  'payouts.first_by_hand',
  Type.Boolean(),
  false,
  'Whether the first payout of each affiliate always needs a review.',
);

export const detailsHoldHours = defineSetting(
  'payouts.details_hold_hours',
  Type.Integer({ minimum: 0, maximum: 24 * 365 }),
  24,
  'Hours after a change of payout details during which payouts need a review.',
);

/** Not a manager setting, because it watches what managers do. */
export const revealMail = defineSetting(
  'payouts.reveal_mail',
  Type.Boolean(),
  false,
  'Affiliates get an email when an admin views their unmasked payout details. The change feed always records it.',
);

/** The methods that affiliates can choose. */
export function enabledMethodsOf(site: Site) {
  const enabled = site.settings.get(enabledMethods);
  return methodsOf(site).filter(({ type }) => enabled.includes(type));
}

/** What the program page says about being paid. */
export function payoutTermsOf(site: Site) {
  const { settings } = site;
  if (!settings.get(payoutsEnabled)) return undefined;
  const methods = enabledMethodsOf(site).map(({ type, label }) => ({ type, label }));
  return { minimum: settings.get(threshold), methods };
}

export const payoutSettings = [
  ...inGroup(
    { name: 'payouts', title: 'Payouts', position: 70 },
    {
      'Payouts enabled': payoutsEnabled,
      'Affiliates request payouts themselves': requestsEnabled,
      'Minimum payout': threshold,
      'Payout details required': detailsRequired,
      'Payout methods': enabledMethods,
      'Methods that need an invoice': invoiceMethods,
      'Pay without a review': autoAccept,
      'Maximum without a review': autoAcceptMax,
      'Review the first payout of each affiliate': firstByHand,
      'Hours of review after changed details': detailsHoldHours,
      'Email when details are viewed': revealMail,
    },
  ),
  ...inGroup(apiGroup, { 'Payout operations': payoutsEndpoints }),
];
