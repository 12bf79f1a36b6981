import type { OrderMessage } from './order-values.ts';

/** The values that an address may contain, as text. */
const macros: Record<string, (message: OrderMessage, decimals: number) => string> = {
  id: ({ values }) => values.id,
  status: ({ status }) => status,
  order: ({ values }) => String(values.order),
  amount: ({ values }, decimals) => values.amount.toFixed(decimals),
  commission: ({ values }, decimals) => values.commission.toFixed(decimals),
  currency: ({ values }) => values.currency,
  code: ({ values }) => values.code,
  click: ({ values }) => String(values.click ?? ''),
  sub1: ({ values }) => values.sub1,
  sub2: ({ values }) => values.sub2,
  sub3: ({ values }) => values.sub3,
  sub4: ({ values }) => values.sub4,
  sub5: ({ values }) => values.sub5,
  time: ({ occurredAtMs }) => String(Math.floor(occurredAtMs / 1000)),
};

export const macroNames: readonly string[] = Object.keys(macros);

const MACRO = /\{([^{}]*)\}/g;

/** The address with the values in place of its macros. Values never change its host or add a parameter. */
export function withValues(template: string, message: OrderMessage, decimals: number): URL {
  return new URL(
    template.replaceAll(MACRO, (text, name: string) => {
      const value = macros[name]?.(message, decimals);
      if (value === undefined) return text;
      // As a segment of the path, dots would lead to another path, and no encoding prevents it.
      return /^\.{1,2}$/.test(value) ? '' : encodeURIComponent(value.toWellFormed());
    }),
  );
}

/** The names in braces that are no macros. */
export function unknownMacros(template: string): string[] {
  return [...template.matchAll(MACRO)]
    .map(([, name]) => name!)
    .filter((name) => !Object.hasOwn(macros, name));
}

/** The address with a plain word in place of each macro, to check it as a URL. */
export function withoutMacros(template: string): string {
  return template.replaceAll(MACRO, 'x');
}
