import type { Faults } from '../../kernel/declare/faults.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { instantFault } from '../../shared/instants.ts';
import { AMOUNT_MAX, Currency, roundedTimes } from '../../shared/money.ts';
import type { OrderInput } from './order-fields.ts';
import { currencyOf, exchangeOf } from './order-input.ts';

/**
 * Adds the faults of an order that its schema cannot tell: times the site cannot store, and amounts
 * that a currency cannot hold. Fields with another fault are not in the input.
 */
export function checkOrder(order: Partial<OrderInput>, { invalid }: Faults, site: Site): void {
  checkTimes(order, invalid, site);
  // Which amounts are right depends on the currency.
  if ('currency' in invalid) return;
  const currency = currencyOf(site, order);
  checkAmounts(order, invalid, currency);
  if (currency.code !== site.currency.code) checkExchange(order, invalid, site, currency);
}

type Reasons = Faults['invalid'];

function checkTimes(order: Partial<OrderInput>, invalid: Reasons, { calendar }: Site): void {
  const check = (name: string, text: string | undefined) => {
    const reason = text === undefined ? undefined : instantFault(text, calendar);
    if (reason !== undefined) invalid[name] = reason;
  };
  check('date', order.date);
  check('date_modified', order.date_modified);
  for (const [i, refund] of (order.refunds ?? []).entries()) {
    check(`refunds[${i}].date`, refund.date);
  }
}

const amounts = ['subtotal', 'discount', 'shipping', 'tax', 'fees', 'total'] as const;

function checkAmounts(order: Partial<OrderInput>, invalid: Reasons, currency: Currency): void {
  const isFaulty = (major: number | undefined) =>
    major !== undefined && currency.toMinor(major) === undefined;
  const reason = `must have at most ${currency.decimals} decimals and not be too large`;
  for (const name of amounts) if (isFaulty(order[name])) invalid[name] = reason;
  for (const [i, item] of (order.items ?? []).entries()) {
    if (isFaulty(item.subtotal)) invalid[`items[${i}].subtotal`] = reason;
    if (isFaulty(item.total)) invalid[`items[${i}].total`] = reason;
  }
  for (const [i, refund] of (order.refunds ?? []).entries()) {
    if (isFaulty(refund.amount)) invalid[`refunds[${i}].amount`] = reason;
    for (const [j, item] of (refund.items ?? []).entries()) {
      if (isFaulty(item.total)) invalid[`refunds[${i}].items[${j}].total`] = reason;
    }
  }
}

function checkExchange(
  order: Partial<OrderInput>,
  invalid: Reasons,
  site: Site,
  currency: Currency,
): void {
  if ('exchange_rate' in invalid) return;
  if (order.exchange_rate === undefined) {
    invalid['exchange_rate'] =
      `is needed: the order is in ${currency.code}, the store in ${site.currency.code}`;
    return;
  }
  const exchange = exchangeOf(site, currency, order.exchange_rate);
  const given = [
    ...amounts.map((name) => order[name] ?? 0),
    ...(order.items ?? []).flatMap((item) => [item.subtotal, item.total]),
  ];
  const largest = Math.max(...given.map((major) => currency.toMinor(major) ?? 0));
  if (roundedTimes(largest, exchange) > AMOUNT_MAX) {
    invalid['exchange_rate'] = `makes amounts in ${site.currency.code} that are too large`;
  }
}
