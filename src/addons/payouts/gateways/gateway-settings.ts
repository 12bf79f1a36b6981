import Type from 'typebox';
import { defineSecretSetting, defineSetting } from '../../../kernel/declare/setting.ts';

export const stripeKey = defineSecretSetting(
  'payouts.stripe_key',
  'The secret key of the Stripe account that pays. Without it Stripe payouts are made by hand.',
);

export const paypalClientId = defineSecretSetting(
  'payouts.paypal_client_id',
  'The client id of the PayPal app that pays, with PayPal Payouts enabled.',
);

export const paypalSecret = defineSecretSetting(
  'payouts.paypal_secret',
  "The same app's secret. Without both PayPal payouts are made by hand.",
);

export const wiseToken = defineSecretSetting(
  'payouts.wise_token',
  'An API token of the Wise account that pays. Without it Wise payouts are made by hand.',
);

export const wiseProfile = defineSetting(
  'payouts.wise_profile',
  Type.String({ pattern: '^\\d{0,15}$' }),
  '',
  'The number of the Wise profile that pays, personal or business.',
);

export const gatewaySettings = [stripeKey, paypalClientId, paypalSecret, wiseToken, wiseProfile];
