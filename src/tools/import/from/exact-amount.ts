import { AMOUNT_MAX, type Currency } from '../../../shared/money.ts';
import type { Money } from './model.ts';
import { RowFault } from './row.ts';

/** The amount in the currency's smallest unit. Nothing is rounded: an amount that is finer is refused. */
export function exactAmount(money: Money, currency: Currency): number {
  if ('minor' in money) return inRange(money.minor);
  const [whole = '', fraction = ''] = money.major.replace('-', '').split('.');
  const kept = fraction.slice(0, currency.decimals).padEnd(currency.decimals, '0');
  if (/[1-9]/.test(fraction.slice(currency.decimals))) {
    throw new RowFault(`${money.major} has more decimals than ${currency.code} has`);
  }
  const minor = Number(whole + kept);
  return inRange(money.major.startsWith('-') ? -minor + 0 : minor);
}

function inRange(minor: number): number {
  if (Math.abs(minor) > AMOUNT_MAX) throw new RowFault('the amount is too large');
  return minor;
}

/** Refuses amounts of another currency than the store's; nothing is converted. */
export function requireCurrency(given: string | undefined, currency: Currency): void {
  if (given === undefined || given.toUpperCase() === currency.code) return;
  throw new RowFault(`is in ${given.toUpperCase()}; the store's currency is ${currency.code}`);
}
