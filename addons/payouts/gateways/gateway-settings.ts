import Type from 'typebox';
import {
  defineSecretSetting,
  defineSetting,
  inGroup,
} from '../../../src/kernel/declare/setting.ts';

export const stripeKey = defineSecretSetting(
  'payouts.stripe_key',
  'Secret key of the Stripe account that pays. Without it, Stripe payouts are paid by hand.',
);

export const paypalClientId = defineSecretSetting(
  'payouts.paypal_client_id',
  'Client ID of the PayPal app that pays. The app needs PayPal Payouts enabled.',
);

export const paypalSecret = defineSecretSetting(
  'payouts.paypal_secret',
  'Secret of the same PayPal app. Without both, PayPal payouts are paid by hand.',
);

export const wiseToken = defineSecretSetting(
  'payouts.wise_token',
  'API token of the Wise account that pays. Without it, Wise payouts are paid by hand.',
);

export const wiseProfile = defineSetting(
  'payouts.wise_profile',
  Type.String({ pattern: '^\\d{0,15}$' }),
  '',
  'ID of the Wise profile that pays, personal or business.',
);

export const gatewaySettings = inGroup(
  { name: 'gateways', title: 'Payment services', position: 80 },
  {
    'Stripe key': stripeKey,
    'PayPal client id': paypalClientId,
    'PayPal secret': paypalSecret,
    'Wise token': wiseToken,
    'Wise profile': wiseProfile,
  },
);
