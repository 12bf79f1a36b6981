import { listIn, type Fields } from './payload.ts';

const CODE_LENGTH_MAX = 50;
const CODES_MAX = 50;

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  '#039': "'",
  '#39': "'",
};

/** WooCommerce stores codes in lower case and with HTML entities: `R&B` is `r&amp;b`. */
function decoded(code: string): string {
  return code.replace(/&(amp|lt|gt|quot|#0?39);/g, (_, name: string) => ENTITIES[name]!);
}

/** The codes used in an order. One that is too long for a code of an affiliate is left out. */
export function codesOf(order: Fields): string[] {
  const codes = listIn(order, 'coupon_lines').flatMap(({ code }) =>
    typeof code === 'string' ? [decoded(code).trim()] : [],
  );
  const usable = codes.filter((code) => code !== '' && code.length <= CODE_LENGTH_MAX);
  return [...new Set(usable)].slice(0, CODES_MAX);
}
