import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { TryRunningSubscriptions } from '../../../sdk/src/index.ts';
import { Field } from '../../ui/field.tsx';
import { SwitchField } from '../../ui/switch-field.tsx';
import { t } from '../../words.ts';
import { useDraft } from './draft.ts';
import { RunningEffect } from './running-effect.tsx';

/** The whole list with the rule of the form, if saving it would change running subscriptions. */
export const RunningRules = createContext<TryRunningSubscriptions['rules'] | undefined>(undefined);

/** From a day and until one. */
export function Days() {
  const { draft, set } = useDraft();
  return (
    <div class="field-row">
      {(['from', 'to'] as const).map((end) => (
        <Field
          key={end}
          type="date"
          name={end}
          label={t(`console-rewards.day.${end}`)}
          defaultValue={draft[end] ?? ''}
          onInput={({ currentTarget: { value } }) => set({ [end]: value === '' ? null : value })}
        />
      ))}
    </div>
  );
}

export function Name() {
  const { draft, set } = useDraft();
  return (
    <Field
      name="name"
      label={t('console-rewards.name')}
      hint={t('console-rewards.nameHint')}
      maxLength={100}
      autocomplete="off"
      defaultValue={draft.name}
      onInput={({ currentTarget }) => set({ name: currentTarget.value })}
    />
  );
}

export function Running() {
  const { draft, set } = useDraft();
  const rules = useContext(RunningRules);
  return (
    <>
      <SwitchField
        name="running"
        label={t('console-rewards.running')}
        hint={t('console-rewards.runningHint')}
        isOn={draft.running}
        onSwitch={(running) => set({ running })}
      />
      {rules && <RunningEffect rules={rules} />}
    </>
  );
}

export function Active() {
  const { draft, set } = useDraft();
  return (
    <SwitchField
      name="active"
      label={t('console-rewards.active')}
      hint={t('console-rewards.activeHint')}
      isOn={draft.active}
      onSwitch={(active) => set({ active })}
    />
  );
}
