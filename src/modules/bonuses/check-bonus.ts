import type { FieldErrors } from '../../kernel/declare/field-errors.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { RuleCheck } from '../rewards/index.ts';
import type { BonusInput } from './bonus-schema.ts';

/** Reports what the schema of a bonus cannot express, each under its path. */
export function checkBonus(
  { who, target, pays, once }: Partial<BonusInput>,
  errors: FieldErrors,
  site: Site,
): void {
  const check = new RuleCheck(errors, site);
  if (who) check.atMostOne('who', who);
  if (target) checkTarget(target, errors, check);
  if (pays) {
    check.amount('pays.amount', pays.amount);
    checkAlternatives(errors, 'pays', pays, ['amount'], ['percent', 'of']);
  }
  if (!target) return;
  const window = target.window?.kind;
  if (once === 'window' && window === 'days') {
    errors.add('once', 'must be ever: a window of the last days never ends');
  }
  if (once === 'window' && target.event) errors.add('once', 'must be ever for an event');
  const ends = window === 'month' || window === 'quarter' || window === 'year';
  if (pays?.percent !== undefined && !ends) {
    errors.add('pays.percent', 'needs a window that ends: month, quarter or year');
  }
}

function checkTarget(target: BonusInput['target'], errors: FieldErrors, check: RuleCheck): void {
  checkAlternatives(errors, 'target', target, ['event'], ['by', 'counts', 'window', 'at']);
  const { by, window, at } = target;
  if (window) check.window('target.window', window);
  if (by === 'sales' || by === 'commission') check.amount('target.at', at);
  else if (at !== undefined && !Number.isSafeInteger(at)) {
    errors.add('target.at', 'must be an integer');
  }
}

/** Either all of some fields and none of the others, or the other way round. */
function checkAlternatives(
  errors: FieldErrors,
  place: string,
  given: object,
  one: readonly string[],
  other: readonly string[],
): void {
  const has = (name: string) => name in given;
  const isComplete = (names: readonly string[], others: readonly string[]) =>
    names.every(has) && !others.some(has);
  if (isComplete(one, other) || isComplete(other, one)) return;
  errors.add(place, `must have either ${one.join(', ')}, or ${other.join(', ')}`);
}
