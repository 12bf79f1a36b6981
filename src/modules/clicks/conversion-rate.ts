/** Percent of clicks that led to an order, with two decimals; 0 without clicks. */
export function conversionRate({ clicks, conversions }: { clicks: number; conversions: number }) {
  return clicks === 0 ? 0 : Math.round((conversions * 10_000) / clicks) / 100;
}
