import { windowKinds } from '../../../src/web-contract/reward-kinds.ts';
import type { RewardWindow } from '../../../sdk/src/index.ts';
import { SelectField } from '../../ui/field.tsx';
import { t } from '../../words.ts';
import { NumberField } from './number-field.tsx';

interface WindowFieldsProps {
  /** The path of the window in the rule. */
  name: string;
  label: string;
  window: RewardWindow;
  onWindow(window: RewardWindow): void;
}

/** The time in which is counted. */
export function WindowFields({ name, label, window, onWindow }: WindowFieldsProps) {
  return (
    <>
      <SelectField
        name={`${name}.kind`}
        label={label}
        required
        value={window.kind}
        options={windowKinds.map((kind) => ({
          value: kind,
          label: t(`console-rewards.window.${kind}`),
        }))}
        onChange={(event) => {
          const kind = windowKinds.find((one) => one === event.currentTarget.value)!;
          onWindow(kind === 'days' ? { kind, days: 30 } : { kind });
        }}
      />
      {window.kind === 'days' && (
        <NumberField
          name={`${name}.days`}
          label={t('console-rewards.days')}
          required
          value={window.days}
          onNumber={(days) => onWindow({ kind: 'days', days })}
        />
      )}
    </>
  );
}
