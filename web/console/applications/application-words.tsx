import type { Application } from '../../../sdk/src/index.ts';
import { Pill, type PillKind } from '../../ui/pill.tsx';
import { t } from '../../words.ts';

const kinds: Record<Application['status'], PillKind> = {
  pending: 'warn',
  accepted: 'good',
  declined: 'plain',
};

export function StatusPill({ application }: { application: Pick<Application, 'status'> }) {
  const { status } = application;
  return <Pill kind={kinds[status]}>{t(`console-applications.state.${status}`)}</Pill>;
}

export const declineReasons = [
  'incomplete',
  'not_a_fit',
  'small_audience',
  'content',
  'duplicate',
  'full',
  'other',
] as const satisfies readonly NonNullable<Application['decline_reason']>[];

export function reasonWords(reason: (typeof declineReasons)[number]): string {
  // A key that ends with `.other` would be a plural form.
  return reason === 'other'
    ? t('console-applications.whySomethingElse')
    : t(`console-applications.why.${reason}`);
}

/** The options of a select; the first one is none. */
export function reasonOptions() {
  return [
    { value: '', label: t('console-applications.noReason') },
    ...declineReasons.map((value) => ({ value, label: reasonWords(value) })),
  ];
}
