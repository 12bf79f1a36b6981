import { isStorable } from '../../../src/shared/storable.ts';
import type { StoreOrder } from '../connectors/connector.ts';

const DAY_S = 24 * 60 * 60;
const ID_LENGTH_MAX = 100;

/** What a store says about the subscription that an order pays for. Seconds since 1970, 0 where unknown. */
export interface SubscriptionPayment {
  /** Undefined if the store says only that there is one. */
  readonly id: string | undefined;
  /** The payment that began it; any other one renews it. */
  readonly isFirst: boolean;
  readonly paidAt: number;
  readonly beganAt: number;
  /** When its free trial ended; 0 without one. */
  readonly trialEnd: number;
}

/** The payment at the end of a free trial is the first one. */
function isAfterTrial({ paidAt, trialEnd }: SubscriptionPayment): boolean {
  return trialEnd > 0 && paidAt <= trialEnd + DAY_S;
}

/** The subscription of an order, if the store names it. */
export function subscriptionIn(
  payment: SubscriptionPayment | undefined,
): Pick<StoreOrder, 'subscription'> {
  const { id = '', beganAt } = payment ?? {};
  const isNamed = id !== '' && id.length <= ID_LENGTH_MAX && isStorable(id);
  if (!payment || !isNamed) return {};
  return {
    subscription: {
      id,
      ...numberOf(payment),
      ...(beganAt && { started_at: new Date(beganAt * 1_000).toISOString() }),
    },
  };
}

/** Stores do not number their renewals: the known payments are counted. One must not be taken for the first. */
function numberOf(payment: SubscriptionPayment): { payment: 1 } | { renewal: true } {
  return payment.isFirst || isAfterTrial(payment) ? { payment: 1 } : { renewal: true };
}
