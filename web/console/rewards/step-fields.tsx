import { useState } from 'preact/hooks';
import type { RewardSteps } from '../../../sdk/src/index.ts';
import { formatMoney, formatRate } from '../../format.ts';
import { Button } from '../../ui/button.tsx';
import { formatNumber, t } from '../../words.ts';
import { CounterFields } from './counter-fields.tsx';
import { NumberField } from './number-field.tsx';

const STEPS_MAX = 20;

interface StepFieldsProps {
  steps: RewardSteps;
  onSteps(steps: RewardSteps): void;
}

/** A percentage that rises with what the affiliate has achieved: a small table, and a picture of it. */
export function StepFields({ steps: counter, onSteps }: StepFieldsProps) {
  const { by, steps } = counter;
  // A row that is taken out moves those below it, whose fields begin with their values again.
  const [moves, setMoves] = useState(0);
  const setStep = (index: number, changes: Partial<(typeof steps)[number]>) =>
    onSteps({
      ...counter,
      steps: steps.map((step, i) => (i === index ? { ...step, ...changes } : step)),
    });
  return (
    <>
      <div class="field-row">
        <CounterFields
          name="rate.steps"
          counter={counter}
          onCounter={(changes) => onSteps({ ...counter, ...changes })}
        />
      </div>
      <ol class="reward-steps" key={moves} aria-label={t('console-rewards.rate.steps')}>
        {steps.map((step, i) => (
          <li key={i}>
            {i === 0 ? (
              <p class="first-step">{t('console-rewards.firstStep')}</p>
            ) : (
              <NumberField
                name={`rate.steps.steps[${i}].from`}
                label={t(`console-rewards.from.${by}`)}
                required
                value={step.from}
                onNumber={(from) => setStep(i, { from })}
              />
            )}
            <NumberField
              name={`rate.steps.steps[${i}].percent`}
              label={t('console-rewards.percent')}
              required
              value={step.percent}
              onNumber={(percent) => setStep(i, { percent })}
            />
            {i > 0 && (
              <Button
                type="button"
                kind="quiet"
                aria-label={t('console-rewards.removeStep', { number: i + 1 })}
                onClick={() => {
                  onSteps({ ...counter, steps: steps.toSpliced(i, 1) });
                  setMoves(moves + 1);
                }}
              >
                {t('console-rewards.remove')}
              </Button>
            )}
          </li>
        ))}
      </ol>
      {steps.length < STEPS_MAX && (
        <div>
          <Button
            type="button"
            kind="quiet"
            onClick={() => onSteps({ ...counter, steps: [...steps, { from: NaN, percent: NaN }] })}
          >
            {t('console-rewards.addStep')}
          </Button>
        </div>
      )}
      <Staircase by={by} steps={steps} />
    </>
  );
}

const WIDTH = 480;
const HEIGHT = 120;
const ROOM = 22;

/** Steps of the same width, each as high as its percentage. The table above says the same. */
function Staircase({ by, steps }: Pick<RewardSteps, 'by' | 'steps'>) {
  const shown = steps.filter(({ from, percent }) => from >= 0 && percent >= 0);
  const highest = Math.max(...shown.map(({ percent }) => percent));
  if (shown.length < 2 || highest === 0) return null;
  const isMoney = by === 'sales' || by === 'commission';
  const width = WIDTH / shown.length;
  return (
    <svg class="staircase" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
      {shown.map(({ from, percent }, i) => {
        const height = (percent / highest) * (HEIGHT - 2 * ROOM);
        const top = HEIGHT - ROOM - height;
        const middle = (i + 0.5) * width;
        return (
          <g key={i}>
            <rect x={i * width + 1} y={top} width={width - 2} height={height} rx="3" />
            <text x={middle} y={top - 6}>
              {formatRate(percent)}
            </text>
            <text class="staircase-from" x={middle} y={HEIGHT - 6}>
              {isMoney ? formatMoney(from) : formatNumber(from)}
            </text>
          </g>
        );
      })}
    </svg>
  );
}
