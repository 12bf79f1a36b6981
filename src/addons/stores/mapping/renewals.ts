import Type from 'typebox';

const DAY_S = 24 * 60 * 60;

/** Which payments of a subscription earn: the first one, all, or those of so many months. */
export const RenewalRule = Type.String({ pattern: '^(once|always|[1-9][0-9]{0,2})$' });

/** A payment that renews a subscription; seconds since 1970, 0 where unknown. */
export interface Renewal {
  readonly paidAt: number;
  readonly beganAt: number;
  /** When its free trial ended; 0 without one. */
  readonly trialEnd: number;
}

/** Why a renewal earns nothing by the setting; undefined if it earns. */
export function whyRenewalEarnsNothing(
  setting: unknown,
  { paidAt, beganAt, trialEnd }: Renewal,
): string | undefined {
  const rule = String(setting ?? 'once');
  if (rule === 'always') return undefined;
  // The payment at the end of a free trial is the first one.
  if (trialEnd > 0 && paidAt <= trialEnd + DAY_S) return undefined;
  if (rule === 'once') return 'Renewals earn no commission by the setting for renewals.';
  const begin = trialEnd || beganAt;
  const months = Number(rule);
  if (begin === 0) return 'When the subscription began is not known, so its renewals earn nothing.';
  if (paidAt < monthsAfter(begin, months)) return undefined;
  return `Renewals earn commission for ${months} months by the setting for renewals.`;
}

/** A month that is too short ends on its last day. */
function monthsAfter(seconds: number, months: number): number {
  const begin = new Date(seconds * 1_000);
  const then = new Date(begin);
  then.setUTCMonth(begin.getUTCMonth() + months, 1);
  const lastDay = new Date(Date.UTC(then.getUTCFullYear(), then.getUTCMonth() + 1, 0)).getUTCDate();
  then.setUTCDate(Math.min(begin.getUTCDate(), lastDay));
  return then.getTime() / 1_000;
}
