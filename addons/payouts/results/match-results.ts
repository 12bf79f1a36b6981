import type { Site } from '../../../src/kernel/declare/site.ts';
import type { PayoutRow } from '../payout/payout-rows.ts';
import type { ResultLine } from './result-formats.ts';

/**
 * Reads an amount as banks and payment services write it (`1,234.50`, `1.234,50`, `-12.50 EUR`) in minor units. Results
 * list payments as positive or as negative amounts, so the sign does not count. Undefined if it is not an amount.
 * @internal
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

/** Why a line does not match a payout. */
export const mismatchCodes = [
  'unknown',
  'double',
  'amount',
  'currency',
  'already_paid',
  'state',
] as const;

export interface Mismatch {
  readonly line: number;
  readonly reference: string;
  readonly payout_id: number | null;
  readonly name: string | null;
  /** Of the payout, and of the line, in major units; null if there is none. */
  readonly amount: number | null;
  readonly found: number | null;
  readonly code: (typeof mismatchCodes)[number];
  readonly message: string;
}

type ComparedPayout = PayoutRow & { readonly display_name: string };

export interface Match {
  readonly line: ResultLine;
  readonly payout: ComparedPayout;
}

/** Compares the lines of a file with the payouts that they name. */
export function matchResults(
  site: Site,
  lines: readonly ResultLine[],
  payouts: ReadonlyMap<number, ComparedPayout>,
) {
  const seen = new Set<number>();
  const matched: Match[] = [];
  // Lines that say that the payment was not made.
  const unpaid: Match[] = [];
  const mismatches: Mismatch[] = [];
  for (const line of lines) {
    const payout = payouts.get(line.payoutId ?? 0);
    const error = errorOf(site, line, payout, seen);
    if (error) mismatches.push(toMismatch(site, line, payout, error));
    else if (line.isPaid) matched.push({ line, payout: payout! });
    else unpaid.push({ line, payout: payout! });
    if (payout) seen.add(payout.id);
  }
  return { matched, unpaid, mismatches };
}

type FieldError = Pick<Mismatch, 'code' | 'message'>;

function toMismatch(
  { currency }: Site,
  { line, reference, amount }: ResultLine,
  payout: ComparedPayout | undefined,
  error: FieldError,
): Mismatch {
  const found = readAmount(amount, currency.decimals);
  return {
    line,
    reference: reference.slice(0, 100),
    payout_id: payout?.id ?? null,
    name: payout?.display_name ?? null,
    amount: payout ? currency.toMajor(payout.amount) : null,
    found: found === undefined ? null : currency.toMajor(found),
    ...error,
  };
}

function errorOf(
  { currency }: Site,
  line: ResultLine,
  payout: PayoutRow | undefined,
  seen: ReadonlySet<number>,
): FieldError | undefined {
  if (!payout) return { code: 'unknown', message: 'No payout has this reference.' };
  if (seen.has(payout.id)) return { code: 'double', message: 'An earlier line has this payout.' };
  if (line.currency !== '' && line.currency !== currency.code) {
    return { code: 'currency', message: `The payout is in ${currency.code}.` };
  }
  if (readAmount(line.amount, currency.decimals) !== payout.amount) {
    return { code: 'amount', message: `The payout is of ${currency.toMajor(payout.amount)}.` };
  }
  return line.isPaid ? statusError(payout) : undefined;
}

function statusError({ status, ask_at }: PayoutRow): FieldError | undefined {
  if (status === 'paid') return { code: 'already_paid', message: 'The payout is already paid.' };
  if (status !== 'pending' && status !== 'created') {
    return { code: 'state', message: `The payout is ${status}.` };
  }
  if (ask_at === null) return undefined;
  return { code: 'state', message: 'A gateway pays this payout, and reports its result itself.' };
}
