import type { Case } from '../../../sdk/src/index.ts';
import { Pill, type PillKind } from '../../../web/ui/pill.tsx';
import { hasWord, t } from '../../../web/words.ts';

export const PATH = '/console/review';

const kinds: Record<Case['state'], PillKind> = { open: 'warn', cleared: 'good', rejected: 'bad' };

export function CasePill({ state }: Pick<Case, 'state'>) {
  return <Pill kind={kinds[state]}>{t(`console-cases.state.${state}`)}</Pill>;
}

/** The name of a rule; an extension may bring rules of its own. */
export function ruleName(rule: string): string {
  const key = `console-review.rule.${rule}`;
  return hasWord(key) ? t(key) : rule;
}

/** What a case is about, in a word. */
export function subjectName({ subject: { type, id } }: Pick<Case, 'subject'>): string {
  return type === 'order'
    ? t('console-review.subject.order', { id: String(id) })
    : t(`console-review.subject.${type}`);
}
