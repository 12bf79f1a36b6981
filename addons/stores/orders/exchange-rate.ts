import type { Site } from '../../../src/kernel/declare/site.ts';
import type { ConnectionRow } from '../connections/connection-rows.ts';
import type { StoreOrder } from '../connectors/connector.ts';

/** What one unit of a currency is worth by the setting of a connection; undefined if it has no such rate. */
export function rateOf({ exchange_rates }: ConnectionRow, code: string): number | undefined {
  // The rates were checked when they were set.
  return (JSON.parse(exchange_rates) as Record<string, number>)[code];
}

/** The order with the connection's exchange rate if it has none; a sentence if the connection has none either. */
export function withRate(
  { currency }: Site,
  connection: ConnectionRow,
  order: StoreOrder,
): StoreOrder | string {
  const code = order.currency;
  if (code === undefined || code === currency.code || order.exchange_rate !== undefined) {
    return order;
  }
  const rate = rateOf(connection, code);
  if (rate !== undefined) return { ...order, exchange_rate: rate };
  return (
    `The order is in ${code}, and the connection has no exchange rate from ${code} to ${currency.code}. ` +
    'Add one to the connection, then retry.'
  );
}
