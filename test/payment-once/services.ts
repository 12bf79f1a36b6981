import { fileURLToPath } from 'node:url';
import type { ConfigName } from '../../src/installation/config.ts';
import { openFakePayPal } from '../gateways/fake-paypal.ts';
import type { FakePayment, FakeServer } from '../gateways/fake-server.ts';
import { openFakeStripe } from '../gateways/fake-stripe.ts';
import { openFakeTill } from '../gateways/fake-till.ts';
import { openFakeWise } from '../gateways/fake-wise.ts';

/** A payment service and what the installation needs to pay by it. */
export interface PaymentService {
  method: string;
  fake: FakeServer & { readonly payments: FakePayment[] };
  details: Record<string, unknown>;
  config: Partial<Record<ConfigName, string>>;
  settings: Record<string, string>;
  /** An amount of the service in cents. */
  centsOf(payment: FakePayment): number;
  /** Lists and lookups do not show payments, or hide them on later pages. */
  hide(hidden: boolean): void;
  /** Completes a payment, or gives it back for good; whether it can be given back. */
  settle?(id: string, to: 'complete' | 'returned'): void;
  /** Fails a payment that was accepted, because the store's balance is empty. */
  failForWantOfMoney?(id: string): void;
  /** As after a month: idempotency keys are forgotten, where the service forgets them. */
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
      // What is shown again is not on the first page.
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

/** By a gateway that an extension brings. */
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
