import { CheckIcon, CloseIcon, WarningIcon } from '../../../web/ui/icons.tsx';
import { t } from '../../../web/words.ts';

interface StepListProps {
  /** What was checked and made, each a sentence of the service. */
  steps: readonly string[];
  /** What works only in part. */
  warnings?: readonly string[];
  /** Why it went no further. */
  refusal?: string | undefined;
}

/** What was tried with the store, with the result of each step. */
export function StepList({ steps, warnings = [], refusal }: StepListProps) {
  return (
    <div role={refusal === undefined ? 'status' : 'alert'}>
      <ol class="store-steps">
        {steps.map((step) => (
          <li key={step} data-kind="good">
            <CheckIcon aria-label={t('console-stores.step.good')} />
            <span>{step}</span>
          </li>
        ))}
        {warnings.map((warning) => (
          <li key={warning} data-kind="warn">
            <WarningIcon aria-label={t('console-stores.step.warn')} />
            <span>{warning}</span>
          </li>
        ))}
        {refusal !== undefined && (
          <li data-kind="bad">
            <CloseIcon aria-label={t('console-stores.step.bad')} />
            <span>{refusal}</span>
          </li>
        )}
      </ol>
    </div>
  );
}
