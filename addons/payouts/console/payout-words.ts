import type { Payout } from '../../../sdk/src/index.ts';
import { sentenceOfCode } from '../../../web/error-words.ts';
import { hasWord, t } from '../../../web/words.ts';

export type PayoutStatus = Payout['status'];

export function stateName(status: PayoutStatus): string {
  return t(`console-payouts.state.${status}`);
}

/** The payout method in words; the name that an extension gives its own. */
export function methodName(type: string, name = type): string {
  const key = `console-payouts.method.${type}`;
  if (hasWord(key)) return t(key);
  return type === '' ? t('console-payouts.method.none') : name;
}

/** Why something about a payout was refused, or is a problem, for people. */
export function reasonOf({ code, message }: { code: string; message: string }): string {
  const key = `console-payouts.reason.${code}`;
  if (hasWord(key)) return t(key);
  return hasWord(`errors.${code}`) ? sentenceOfCode(code) : message;
}
