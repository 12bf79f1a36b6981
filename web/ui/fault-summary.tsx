import { t } from '../words.ts';
import { Notice } from './notice.tsx';

interface FaultSummaryProps {
  /** What is wrong with the form as a whole. */
  problem?: string | undefined;
  /** The refused fields, with links to them. */
  faults: readonly { name: string; label: string }[];
}

/** What to correct before a form can be sent again. Nothing if there is no fault. */
export function FaultSummary({ problem, faults }: FaultSummaryProps) {
  if (problem === undefined && faults.length === 0) return null;
  return (
    <Notice kind="bad">
      {problem !== undefined && <p>{problem}</p>}
      {faults.length > 0 && (
        <p>
          {t('common.pleaseCheck')}{' '}
          {faults.map(({ name, label }, i) => (
            <>
              {i > 0 && ', '}
              <a href={`#${name}`}>{label}</a>
            </>
          ))}
        </p>
      )}
    </Notice>
  );
}
