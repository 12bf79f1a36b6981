import type { Bonus } from '../../../sdk/src/index.ts';
import { pick } from './draft.ts';

const parts = ['name', 'active', 'who', 'target', 'once', 'pays'] as const;

/** A bonus as its form has it. A number that is missing or no number is NaN, which the service refuses. */
export type BonusDraft = Pick<Bonus, (typeof parts)[number]>;

export const emptyBonus: BonusDraft = {
  name: '',
  active: true,
  who: {},
  target: { by: 'sales', counts: 'granted', window: { kind: 'month' }, at: NaN },
  once: 'window',
  pays: { amount: NaN },
};

export function bonusDraftOf(bonus: Bonus): BonusDraft {
  return pick(bonus, parts);
}

/** Whether the time in which is counted ends, after which the next one begins. */
export function hasEnd({ window }: BonusDraft['target']): boolean {
  return window?.kind === 'month' || window?.kind === 'quarter' || window?.kind === 'year';
}

/** With another target. Without an end, a bonus is paid once, and there are no sums of which a percentage is paid. */
export function withTarget(draft: BonusDraft, target: BonusDraft['target']): BonusDraft {
  if (hasEnd(target)) {
    // What was the only choice before is none of the person.
    return { ...draft, target, once: hasEnd(draft.target) ? draft.once : 'window' };
  }
  const pays = draft.pays.percent === undefined ? draft.pays : { amount: NaN };
  return { ...draft, target, once: 'ever', pays };
}
