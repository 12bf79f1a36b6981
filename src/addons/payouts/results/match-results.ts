import type { Site } from '../../../kernel/declare/site.ts';
import type { PayoutRow } from '../payout-store.ts';
import { readAmount } from './read-amount.ts';
import type { ResultLine } from './result-line.ts';

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
  readonly code: (typeof mismatchCodes)[number];
  readonly message: string;
}

export interface Match {
  readonly line: ResultLine;
  readonly payout: PayoutRow;
}

export interface MatchedResults {
  readonly matched: readonly Match[];
  /** Lines that say that the payment was not made. */
  readonly unpaid: readonly Match[];
  readonly mismatches: readonly Mismatch[];
}

/** Compares the lines of a file with the payouts that they name. */
export function matchResults(
  site: Site,
  lines: readonly ResultLine[],
  payouts: ReadonlyMap<number, PayoutRow>,
): MatchedResults {
  const seen = new Set<number>();
  const matched: Match[] = [];
  const unpaid: Match[] = [];
  const mismatches: Mismatch[] = [];
  for (const line of lines) {
    const payout = payouts.get(line.payoutId ?? 0);
    const fault = faultOf(site, line, payout, seen);
    if (fault) mismatches.push(toMismatch(line, payout, fault));
    else if (line.isPaid) matched.push({ line, payout: payout! });
    else unpaid.push({ line, payout: payout! });
    if (payout) seen.add(payout.id);
  }
  return { matched, unpaid, mismatches };
}

type Fault = Pick<Mismatch, 'code' | 'message'>;

function toMismatch(
  { line, reference }: ResultLine,
  payout: PayoutRow | undefined,
  fault: Fault,
): Mismatch {
  return { line, reference: reference.slice(0, 100), payout_id: payout?.id ?? null, ...fault };
}

function faultOf(
  { currency }: Site,
  line: ResultLine,
  payout: PayoutRow | undefined,
  seen: ReadonlySet<number>,
): Fault | undefined {
  if (!payout) return { code: 'unknown', message: 'No payout has this reference.' };
  if (seen.has(payout.id)) return { code: 'double', message: 'An earlier line has this payout.' };
  if (line.currency !== '' && line.currency !== currency.code) {
    return { code: 'currency', message: `The payout is in ${currency.code}.` };
  }
  if (readAmount(line.amount, currency.decimals) !== payout.amount) {
    return { code: 'amount', message: `The payout is of ${currency.toMajor(payout.amount)}.` };
  }
  return line.isPaid ? statusFault(payout) : undefined;
}

function statusFault({ status, ask_at }: PayoutRow): Fault | undefined {
  if (status === 'paid') return { code: 'already_paid', message: 'The payout is paid already.' };
  if (status !== 'pending' && status !== 'created') {
    return { code: 'state', message: `The payout is ${status}.` };
  }
  if (ask_at === null) return undefined;
  return { code: 'state', message: 'A gateway pays this payout, and reports its result itself.' };
}
