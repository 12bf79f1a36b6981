/**
 * Reads an amount as banks and payment services write it (`1,234.50`, `1.234,50`, `-12.50 EUR`) in minor units. Results
 * list payments as positive or as negative amounts, so the sign does not count. Undefined if it is not an amount.
 */
export function readAmount(text: string, decimals: number): number | undefined {
  const bare = text.replaceAll(/[\s'’]|[A-Z]{3}|\p{Currency_Symbol}/gu, '').replace(/^[+-]/, '');
  if (!/^\d+(?:[.,]\d+)*$/.test(bare)) return undefined;
  const [whole, fraction] = split(bare, decimals);
  // Before the fraction a separator groups three digits, and all are the same.
  if (!/^\d+$|^\d{1,3}(?:,\d{3})+$|^\d{1,3}(?:\.\d{3})+$/.test(whole)) return undefined;
  const minor = Number(whole.replaceAll(/[.,]/g, '') + fraction.padEnd(decimals, '0'));
  return Number.isSafeInteger(minor) ? minor : undefined;
}

/** The last separator begins the fraction, unless more digits follow than the currency has. */
function split(amount: string, decimals: number): [whole: string, fraction: string] {
  const at = Math.max(amount.lastIndexOf('.'), amount.lastIndexOf(','));
  const digits = amount.length - at - 1;
  return at < 0 || digits > decimals ? [amount, ''] : [amount.slice(0, at), amount.slice(at + 1)];
}
