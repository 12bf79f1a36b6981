/** Currencies to which Stripe gives a number of decimals other than two. https://docs.stripe.com/currencies */
const DECIMALS = new Map<string, number>([
  ...'BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'
    .split(' ')
    .map((code): [string, number] => [code, 0]),
  ...'BHD JOD KWD OMR TND'.split(' ').map((code): [string, number] => [code, 3]),
]);

/** The decimals of Stripe's amounts in a currency, which are not always those of ISO 4217. */
export function stripeDecimals(currency: string): number {
  return DECIMALS.get(currency) ?? 2;
}
