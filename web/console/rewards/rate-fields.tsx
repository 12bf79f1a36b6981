import { useState } from 'preact/hooks';
import { Choice } from '../../ui/choice.tsx';
import { t } from '../../words.ts';
import { hasNoRate, useDraft, type RuleDraft } from './draft.ts';
import { NumberField } from './number-field.tsx';
import { StepFields } from './step-fields.tsx';

const kinds = ['rates', 'steps', 'excluded'] as const;
type Kind = (typeof kinds)[number];

const rates = ['percent', 'fixed_per_order', 'fixed_per_product'] as const;

const firstRate: Readonly<Record<Kind, RuleDraft['rate']>> = {
  rates: {},
  excluded: { excluded: true },
  steps: {
    steps: {
      by: 'sales',
      counts: 'granted',
      window: { kind: 'month' },
      steps: [
        { from: 0, percent: NaN },
        { from: NaN, percent: NaN },
      ],
    },
  },
};

/** What is earned. What was typed for one kind comes back with it. */
export function RateFields() {
  const { draft, set } = useDraft();
  const { rate } = draft;
  const [typed, setTyped] = useState(firstRate);
  const kind: Kind = rate.excluded ? 'excluded' : rate.steps ? 'steps' : 'rates';
  const isNone = hasNoRate(draft);
  return (
    <>
      <Choice
        name="rate"
        legend={t('console-rewards.rate')}
        current={kind}
        options={kinds.map((value) => ({
          value,
          label: t(`console-rewards.rate.${value}`),
          hint: t(`console-rewards.rate.${value}.hint`),
        }))}
        onChoose={(value) => {
          setTyped({ ...typed, [kind]: rate });
          set({ rate: typed[kinds.find((one) => one === value)!] });
        }}
      />
      {kind === 'rates' && (
        <div class="field-row">
          {rates.map((name) => (
            <NumberField
              key={name}
              name={`rate.${name}`}
              label={t(`console-rewards.${name}`)}
              required={isNone && name === 'percent'}
              value={rate[name]}
              onNumber={(value) =>
                set({ rate: { ...rate, [name]: Number.isNaN(value) ? null : value } })
              }
            />
          ))}
        </div>
      )}
      {rate.steps && (
        <StepFields steps={rate.steps} onSteps={(steps) => set({ rate: { steps } })} />
      )}
    </>
  );
}
