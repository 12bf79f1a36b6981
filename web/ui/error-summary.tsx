import { t } from '../words.ts';
import { Notice } from './notice.tsx';

interface ErrorSummaryProps {
  /** What is wrong with the form as a whole. */
  problem?: string | undefined;
  /** The refused fields, with links to them. */
  errors: readonly { name: string; label: string }[];
}

/** What to correct before a form can be sent again. Nothing if there is no error. */
export function ErrorSummary({ problem, errors }: ErrorSummaryProps) {
  if (problem === undefined && errors.length === 0) return null;
  return (
    <Notice kind="bad">
      {problem !== undefined && <p>{problem}</p>}
      {errors.length > 0 && (
        <p>
          {t('common.pleaseCheck')}{' '}
          {errors.map(({ name, label }, i) => (
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
