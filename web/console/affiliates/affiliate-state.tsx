import { Pill } from '../../ui/pill.tsx';
import { formatNumber, t } from '../../words.ts';

interface AffiliateStateProps {
  status: 'active' | 'suspended';
  /** Its groups and tags. */
  labels: readonly string[];
  /** Shows at most this many of them, and how many others there are. */
  most?: number;
}

/** Only what differs from the rule is coloured: a suspended affiliate. */
export function AffiliateState({ status, labels, most = labels.length }: AffiliateStateProps) {
  return (
    <span class="affiliate-labels">
      {status === 'suspended' ? (
        <Pill kind="warn">{t('console-affiliates.status.suspended')}</Pill>
      ) : (
        <span class="muted">{t('console-affiliates.status.active')}</span>
      )}
      {labels.slice(0, most).map((label) => (
        <Pill key={label} kind="plain">
          {label}
        </Pill>
      ))}
      {labels.length > most && <span class="muted">+{formatNumber(labels.length - most)}</span>}
    </span>
  );
}
