import { t } from '../words.ts';
import { setupSteps, type SetupStep } from '../../src/web-contract/page-props.ts';
import './setup-progress.css';

const steps = [...Object.keys(setupSteps), 'finished'];

/** Where one is in the setup. */
export function SetupProgress({ step }: { step: SetupStep | 'finished' }) {
  const current = steps.indexOf(step);
  return (
    <div class="setup-progress">
      <p class="muted">{t('public.setup.stepOf', { step: current + 1, steps: steps.length })}</p>
      <div class="setup-bar" aria-hidden="true">
        {steps.map((name, i) => (
          <span key={name} data-done={i <= current ? 'true' : undefined} />
        ))}
      </div>
    </div>
  );
}
