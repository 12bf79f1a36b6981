import type { ComponentChildren } from 'preact';
import type { RewardRule, RewardRules } from '../../../sdk/src/index.ts';
import { api } from '../../api.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Field } from '../../ui/field.tsx';
import { SwitchField } from '../../ui/switch-field.tsx';
import { t } from '../../words.ts';
import { draftOf, DraftOf, emptyDraft, hasNoRate, useDraft } from './draft.ts';
import { LimitFields } from './limit-fields.tsx';
import { MoreConditions } from './more-conditions.tsx';
import { OrderFields } from './order-fields.tsx';
import { RateFields } from './rate-fields.tsx';
import { RewardForm, useRewardDraft } from './reward-form.tsx';
import { RunningEffect } from './running-effect.tsx';
import { PATH } from './rules.ts';
import { TrialResult } from './trial-result.tsx';
import { usePreview } from './use-preview.ts';
import { useTrial, withDraft } from './use-trial.ts';
import { WhatFields } from './what-fields.tsx';
import { WhoFields } from './who-fields.tsx';

interface RuleFormProps {
  list: RewardRules;
  /** Undefined for a new one. */
  rule: RewardRule | undefined;
  /** Begins again with what is stored. */
  onReload(): void;
}

export function RuleForm({ list, rule: shown, onReload }: RuleFormProps) {
  const written = useRewardDraft(shown, emptyDraft, draftOf);
  const { reward: rule, draft, set } = written;
  const preview = usePreview(
    draft,
    !hasNoRate(draft),
    (asked) => api.rewards.rules.sentence({ ...asked, id: rule?.id }),
    rule?.id,
  );
  const trial = useTrial(list.rules, draft, rule?.id);
  const hiding = list.rules.find(({ id }) => id === preview.hiddenBy);
  return (
    <DraftOf.Provider value={{ draft, set }}>
      <RewardForm
        kind="rule"
        written={written}
        shown={shown}
        preview={preview}
        remark={
          hiding && (
            <p class="rule-hidden">
              {t('console-rewards.hiddenByRule', {
                number: hiding.position,
                sentence: hiding.sentence,
              })}
            </p>
          )
        }
        path={PATH}
        calls={api.rewards.rules}
        beside={
          <Button type="button" kind="quiet" busy={trial.isRunning} onClick={trial.start}>
            {t('console-rewards.try')}
          </Button>
        }
        onReload={onReload}
      >
        <Card>
          <WhoFields who={draft.who} onWho={(who) => set({ who })} />
          <WhatFields />
        </Card>
        <Card>
          <RateFields />
        </Card>
        <MoreConditions>
          <Card title={t('console-rewards.conditions')}>
            <OrderFields />
            <Days />
          </Card>
          <Card title={t('console-rewards.more')}>
            <LimitFields />
            <Options>
              {(draft.running || rule?.running === true) && preview.isCurrent && (
                <RunningEffect rules={withDraft(list.rules, draft, rule?.id)} />
              )}
            </Options>
          </Card>
        </MoreConditions>
      </RewardForm>
      <TrialResult {...trial} />
    </DraftOf.Provider>
  );
}

function Days() {
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

function Options({ children }: { children: ComponentChildren }) {
  const { draft, set } = useDraft();
  return (
    <>
      <Field
        name="name"
        label={t('console-rewards.name')}
        hint={t('console-rewards.nameHint')}
        maxLength={100}
        autocomplete="off"
        defaultValue={draft.name}
        onInput={({ currentTarget }) => set({ name: currentTarget.value })}
      />
      <SwitchField
        name="running"
        label={t('console-rewards.running')}
        hint={t('console-rewards.runningHint')}
        isOn={draft.running}
        onSwitch={(running) => set({ running })}
      />
      {children}
      <SwitchField
        name="active"
        label={t('console-rewards.active')}
        hint={t('console-rewards.activeHint')}
        isOn={draft.active}
        onSwitch={(active) => set({ active })}
      />
    </>
  );
}
