import { randomUUID } from 'node:crypto';
import { Currency } from '../../../src/shared/money.ts';
import type { GatewayPayout } from '../extension.ts';

/** A payout of 19.99 USD that was never attempted, with a unique key. */
export function samplePayout(change: Partial<GatewayPayout> = {}): GatewayPayout {
  const { amount = 19.99, currency = 'USD' } = change;
  return {
    payout_id: 12,
    amount,
    amount_minor: new Currency(currency).toMinor(amount)!,
    currency,
    details: {},
    idempotency_key: `payout-12-${randomUUID()}`,
    transaction_id: '',
    begun_at: new Date().toISOString(),
    repeated: false,
    ...change,
  };
}
