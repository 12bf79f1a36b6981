import Type from 'typebox';
import type { Site } from '../../../src/kernel/declare/site.ts';
import { extensionGateways, type Gateway, type GatewayPayout } from '../extension.ts';
import { bankTransfer } from './bank-transfer.ts';
import type { PayoutMethod } from './method.ts';
import { paypal } from './paypal.ts';
import { stripe } from './stripe.ts';
import { wise } from './wise.ts';

/** Counts as paid immediately: the store reads `payout.paid` from the change feed and books the credit. */
const paid = async ({ payout_id }: GatewayPayout) =>
  ({ status: 'paid', transaction_id: `credit-${payout_id}` }) as const;

const storeCredit: PayoutMethod = {
  type: 'credit',
  label: 'Store credit',
  details: Type.Object({}, { additionalProperties: false }),
  mask: () => 'store credit',
  gateway: () => ({ method_type: 'credit', label: 'Store credit', pay: paid, ask: paid }),
};

const builtInMethods: readonly PayoutMethod[] = [bankTransfer, paypal, stripe, wise, storeCredit];

/**
 * The payout methods of this site. A gateway of an extension adds a method, or replaces the gateway of a built-in
 * one.
 */
export function methodsOf(site: Site): PayoutMethod[] {
  const own = extensionGateways(site);
  const builtIn = builtInMethods.map((method) => {
    const gateway = own.find(({ method_type }) => method_type === method.type);
    return gateway ? { ...method, gateway: () => gateway } : method;
  });
  const added = own.filter(({ method_type }) =>
    builtInMethods.every(({ type }) => type !== method_type),
  );
  return [...builtIn, ...added.map(methodOf)];
}

export function findMethod(site: Site, type: string): PayoutMethod | undefined {
  return methodsOf(site).find((method) => method.type === type);
}

/** The method of an extension's gateway, which checks its destinations itself. */
function methodOf(gateway: Gateway): PayoutMethod {
  return {
    type: gateway.method_type,
    label: gateway.label,
    details: Type.Object({}, { additionalProperties: true }),
    mask: () => 'set',
    gateway: () => gateway,
  };
}
