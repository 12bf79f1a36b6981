import { fileURLToPath } from 'node:url';
import type { ConfigName } from '../../../../src/installation/config.ts';
import { openFakePayPal } from '../../../../test/gateways/fake-paypal.ts';
import type { FakePayment, FakeServer } from '../../../../test/gateways/fake-server.ts';
import { openFakeStripe } from '../../../../test/gateways/fake-stripe.ts';
import { openFakeTill } from '../../../../test/gateways/fake-till.ts';
import { openFakeWise } from '../../../../test/gateways/fake-wise.ts';

/** A payment service and the settings that an installation needs to pay by it. */
export interface PaymentService {
  method: string;
  fake: FakeServer & { readonly payments: FakePayment[] };
  details: Record<string, unknown>;
  config: Partial<Record<ConfigName, string>>;
  settings: Record<string, string>;
  /** Converts an amount of the service to cents. */
  centsOf(payment: FakePayment): number;
  /** Makes lists and lookups omit payments, or show them on later pages only. */
  hide(hidden: boolean): void;
  /** Completes a payment, or returns it for good; false if it cannot be returned. */
  settle?(id: string, to: 'complete' | 'returned'): void;
  /** Fails a payment that was accepted, because the store's balance is empty. */
  failForWantOfMoney?(id: string): void;
  /** Forgets idempotency keys if the real service does so within a month. */
  forget(): void;
}

const nothing = () => {};
const inMajorUnits = ({ amount }: FakePayment) => Math.round(Number(amount) * 100);

export async function openWise(): Promise<PaymentService> {
  const fake = await openFakeWise();
  let wasHidden = false;
  return {
    method: 'wise',
    fake,
    details: { target_account: 4_711 },
    config: { wiseToken: fake.token, wiseUrl: fake.url },
    settings: { 'payouts.wise_profile': fake.profile },
    centsOf: inMajorUnits,
    hide(hidden) {
      fake.hide(hidden);
      // When the transfers are shown again, ours are not on the first page.
      if (wasHidden && !hidden) fake.crowd(120);
      wasHidden = hidden;
    },
    settle: (id, to) =>
      fake.settle(id, to === 'complete' ? 'outgoing_payment_sent' : 'funds_refunded'),
    forget: nothing,
  };
}

export async function openPayPal(): Promise<PaymentService> {
  const fake = await openFakePayPal();
  return {
    method: 'paypal',
    fake,
    details: { email: 'maya@pay.example' },
    config: {
      paypalClientId: fake.clientId,
      paypalSecret: fake.secret,
      paypalUrl: fake.url,
    },
    settings: {},
    centsOf: inMajorUnits,
    hide: () => fake.endTokens(),
    settle: (id, to) => fake.settle(id, to === 'complete' ? 'SUCCESS' : 'RETURNED'),
    failForWantOfMoney: (id) => fake.settle(id, 'FAILED', 'SUCCESS', 'INSUFFICIENT_FUNDS'),
    forget: () => fake.forgetBatchIds(),
  };
}

export async function openStripe(): Promise<PaymentService> {
  const fake = await openFakeStripe();
  return {
    method: 'stripe',
    fake,
    details: { account: 'acct_1Mayatest0000000' },
    config: { stripeKey: fake.key, stripeUrl: fake.url },
    settings: {},
    centsOf: ({ amount }) => Number(amount),
    hide: (hidden) => fake.hide(hidden),
    settle: (id, to) => (to === 'returned' ? fake.reverse(id) : undefined),
    forget: () => fake.forgetKeys(),
  };
}

/** Pays by the gateway of an extension. */
export async function openTill(): Promise<PaymentService> {
  const fake = await openFakeTill();
  return {
    method: 'till',
    fake,
    details: { url: fake.url },
    config: { extensions: fileURLToPath(new URL('till-extension.ts', import.meta.url)) },
    settings: {},
    centsOf: ({ amount }) => Number(amount),
    hide: (hidden) => fake.hide(hidden),
    forget: nothing,
  };
}
