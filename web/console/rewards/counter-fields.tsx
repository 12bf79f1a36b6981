import { countedKinds, counterKinds } from '../../../src/web-contract/reward-kinds.ts';
import type { RewardSteps } from '../../../sdk/src/index.ts';
import { SelectField } from '../../ui/field.tsx';
import { t } from '../../words.ts';
import { WindowFields } from './window-fields.tsx';

export type Counter = Pick<RewardSteps, 'by' | 'counts' | 'window'>;

interface CounterFieldsProps {
  /** The path of the counter. */
  name: string;
  counter: Counter;
  onCounter(changes: Partial<Counter>): void;
}

/** What is counted for an affiliate, and in which time. */
export function CounterFields({ name, counter, onCounter }: CounterFieldsProps) {
  return (
    <>
      <SelectField
        name={`${name}.by`}
        label={t('console-rewards.by')}
        required
        value={counter.by}
        options={counterKinds.map((value) => ({ value, label: t(`console-rewards.by.${value}`) }))}
        onChange={({ currentTarget }) =>
          onCounter({ by: counterKinds.find((one) => one === currentTarget.value)! })
        }
      />
      <WindowFields
        name={`${name}.window`}
        label={t('console-rewards.window')}
        window={counter.window}
        onWindow={(window) => onCounter({ window })}
      />
      <SelectField
        name={`${name}.counts`}
        label={t('console-rewards.counts')}
        required
        value={counter.counts}
        options={countedKinds.map((value) => ({
          value,
          label: t(`console-rewards.counts.${value}`),
        }))}
        onChange={({ currentTarget }) =>
          onCounter({ counts: countedKinds.find((one) => one === currentTarget.value)! })
        }
      />
    </>
  );
}
