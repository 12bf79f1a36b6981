import Type from 'typebox';
import { defineManagerSetting, defineSetting } from '../../kernel/declare/setting.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { unknownIn } from '../../kernel/declare/switches.ts';
import { methodsOf } from './methods.ts';

const AMOUNT_MAX = 1_000_000;

const MethodList = Type.Array(Type.String({ pattern: '^[a-z][a-z0-9_-]{0,39}$' }), {
  maxItems: 50,
  uniqueItems: true,
});

function unknownMethod(types: string[], site: Site): string | undefined {
  const known = methodsOf(site).map(({ type }) => type);
  return unknownIn(types, known);
}

export const payoutsEndpoints = defineSetting(
  'api.payouts_endpoints',
  Type.Boolean(),
  true,
  'The /payouts endpoints. Off, they answer like unknown paths; everything else goes on.',
);

export const payoutsEnabled = defineManagerSetting(
  'payouts.enabled',
  Type.Boolean(),
  true,
  'Payouts can be requested.',
);

export const requestsEnabled = defineManagerSetting(
  'payouts.requests_enabled',
  Type.Boolean(),
  true,
  'Affiliates may request payouts themselves; admins always may.',
);

export const threshold = defineManagerSetting(
  'payouts.threshold',
  Type.Number({ minimum: 0, maximum: AMOUNT_MAX }),
  0,
  'The least that is paid out, for admins too.',
);

export const detailsRequired = defineManagerSetting(
  'payouts.details_required',
  Type.Boolean(),
  true,
  'A payout needs saved payout details.',
);

export const enabledMethods = defineManagerSetting(
  'payouts.methods',
  MethodList,
  ['banktransfer', 'credit'],
  'The ways to be paid that affiliates may use: banktransfer, paypal, stripe, wise, credit.',
  unknownMethod,
);

export const invoiceMethods = defineManagerSetting(
  'payouts.invoice_methods',
  MethodList,
  [],
  'The ways to be paid that need an invoice. Invoices cannot be uploaded through the API.',
  unknownMethod,
);

export const autoAccept = defineSetting(
  'payouts.auto_accept',
  Type.Boolean(),
  false,
  'Payouts by a gateway are paid at once, without a review.',
);

export const autoAcceptMax = defineSetting(
  'payouts.auto_accept_max',
  Type.Number({ minimum: 0, maximum: AMOUNT_MAX }),
  200,
  'The most that is paid without a review.',
);

export const firstByHand = defineSetting(
  'payouts.first_by_hand',
  Type.Boolean(),
  false,
  "An affiliate's first payout is always reviewed.",
);

export const detailsHoldHours = defineSetting(
  'payouts.details_hold_hours',
  Type.Integer({ minimum: 0, maximum: 24 * 365 }),
  24,
  'How many hours after a change of payout details nothing is paid without a review.',
);

/** Not for managers: it is about what they do themselves. */
export const revealMail = defineSetting(
  'payouts.reveal_mail',
  Type.Boolean(),
  false,
  'Send the affiliate a mail when an admin views its payout details in clear. The change feed always records it.',
);

export const payoutSettings = [
  payoutsEndpoints,
  payoutsEnabled,
  requestsEnabled,
  threshold,
  detailsRequired,
  enabledMethods,
  invoiceMethods,
  autoAccept,
  autoAcceptMax,
  firstByHand,
  detailsHoldHours,
  revealMail,
];
