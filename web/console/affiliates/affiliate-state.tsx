import { Pill } from '../../ui/pill.tsx';
import { t } from '../../words.ts';

interface AffiliateStateProps {
  status: 'active' | 'suspended';
  /** Its groups and tags. */
  labels: readonly string[];
}

/** Only what differs from the rule is coloured: a suspended affiliate. */
export function AffiliateState({ status, labels }: AffiliateStateProps) {
  return (
    <span class="affiliate-labels">
      {status === 'suspended' ? (
        <Pill kind="warn">{t('console-affiliates.status.suspended')}</Pill>
      ) : (
        <span class="muted">{t('console-affiliates.status.active')}</span>
      )}
      {labels.map((label) => (
        <Pill key={label} kind="plain">
          {label}
        </Pill>
      ))}
    </span>
  );
}
