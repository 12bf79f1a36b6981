import { configKey, configSection, type ConfigKey } from '../../src/kernel/declare/config.ts';
import { safeAddress, visibleText } from '../../src/shared/config-values.ts';

export const gatewayConfig = configSection({
  keys: {
    stripeKey: credential('stripe-key', 'payouts.stripe_key'),
    paypalClientId: credential('paypal-client-id', 'payouts.paypal_client_id'),
    paypalSecret: credential('paypal-secret', 'payouts.paypal_secret'),
    wiseToken: credential('wise-token', 'payouts.wise_token'),
    // Not settings: a caller who could change where credentials are sent could read them there.
    stripeUrl: gatewayUrl('stripe-url', 'Stripe', 'https://api.stripe.com'),
    paypalUrl: gatewayUrl('paypal-url', 'PayPal', 'https://api-m.paypal.com'),
    wiseUrl: gatewayUrl('wise-url', 'Wise', 'https://api.wise.com'),
  },
});

function credential(flag: string, setting: string): ConfigKey<string> {
  const help = `in place of the setting ${setting}`;
  const shape = { flag, setting, help, placeholder: 'TEXT', default: '', secret: true } as const;
  return configKey({ ...shape, parse: visibleText });
}

function gatewayUrl(flag: string, name: string, address: string): ConfigKey<string> {
  const help = `base URL of ${name}, for example of its sandbox`;
  return configKey({ flag, help, placeholder: 'URL', default: address, parse: safeAddress });
}
