import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { hasCode, type RewardRule, type RewardRules } from '../../../sdk/src/index.ts';
import { api } from '../../api.ts';
import { refresh } from '../../data.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Field } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { SwitchField } from '../../ui/switch-field.tsx';
import { t } from '../../words.ts';
import { DeleteReward } from './delete-reward.tsx';
import { changesOf, draftOf, DraftOf, emptyDraft, useDraft, useFault } from './draft.ts';
import { LimitFields } from './limit-fields.tsx';
import { OrderFields } from './order-fields.tsx';
import { Overtaken } from './overtaken.tsx';
import { RateFields } from './rate-fields.tsx';
import { RunningEffect } from './running-effect.tsx';
import { PATH } from './rules.ts';
import { TrialResult } from './trial-result.tsx';
import { useUnsaved } from './unsaved.ts';
import { usePreview, type Preview } from './use-preview.ts';
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

/** A rule, with the sentence that the service makes of it while it is written. */
export function RuleForm({ list, rule: shown, onReload }: RuleFormProps) {
  // The list is refreshed in the background; the form goes on with the rule that the person has seen.
  const [rule] = useState(shown);
  const [before] = useState(() => (rule ? draftOf(rule) : emptyDraft));
  const [draft, setDraft] = useState(before);
  const [isOvertaken, setOvertaken] = useState(false);
  const [isDeleting, setDeleting] = useState(false);
  const [, navigate] = useLocation();
  const preview = usePreview(draft, rule?.id);
  const trial = useTrial(list.rules, draft, rule?.id);
  const changes = changesOf(before, draft);
  useUnsaved(Object.keys(changes).length > 0);
  const leave = async () => {
    await refresh('rewards');
    navigate(PATH);
  };
  return (
    <div class="rule-form">
      <Sentence preview={preview} list={list} />
      {isOvertaken && <Overtaken kind="rule" sentence={shown?.sentence} onReload={onReload} />}
      <DraftOf.Provider
        value={{
          draft,
          set: (parts) => setDraft((current) => ({ ...current, ...parts })),
          faults: preview.faults,
        }}
      >
        <Form
          action={t('common.save')}
          showsReasons
          submit={async (_values, options) => {
            try {
              await (rule
                ? api.rewards.rules.update(rule.id, { ...changes, version: rule.version }, options)
                : api.rewards.rules.create(draft, options));
            } catch (error) {
              if (hasCode(error, 'svc_api_conflict')) {
                setOvertaken(true);
                await refresh('rewards');
              }
              throw error;
            }
            await leave();
          }}
          beside={
            <>
              <Button type="button" kind="quiet" busy={trial.isRunning} onClick={trial.start}>
                {t('console-rewards.try')}
              </Button>
              {rule && (
                <Button type="button" kind="danger" onClick={() => setDeleting(true)}>
                  {t('console-rewards.delete')}
                </Button>
              )}
            </>
          }
        >
          <Card>
            <WhoFields
              who={draft.who}
              onWho={(who) => setDraft((current) => ({ ...current, who }))}
            />
            <WhatFields />
          </Card>
          <Card>
            <RateFields />
          </Card>
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
        </Form>
      </DraftOf.Provider>
      <TrialResult {...trial} />
      {isDeleting && rule && (
        <DeleteReward
          kind="rule"
          sentence={rule.sentence}
          remove={(options) =>
            api.rewards.rules.delete(rule.id, { version: rule.version }, options)
          }
          onClose={() => setDeleting(false)}
          onDeleted={leave}
        />
      )}
    </div>
  );
}

/** Stays in sight while the fields are filled in. */
function Sentence({ preview, list }: { preview: Preview; list: RewardRules }) {
  const { sentence, isCurrent, hiddenBy } = preview;
  const hiding = list.rules.find(({ id }) => id === hiddenBy);
  return (
    <div class="rule-preview" role="status" data-stale={!isCurrent}>
      <p class="reward-sentence">{sentence ?? t('console-rewards.noSentence')}</p>
      {isCurrent && hiding && (
        <p class="rule-hidden">
          {t('console-rewards.hiddenByRule', {
            number: hiding.position,
            sentence: hiding.sentence,
          })}
        </p>
      )}
    </div>
  );
}

function Days() {
  const { draft, set } = useDraft();
  const faults = { from: useFault('from'), to: useFault('to') };
  return (
    <div class="field-row">
      {(['from', 'to'] as const).map((end) => (
        <Field
          key={end}
          type="date"
          name={end}
          label={t(`console-rewards.day.${end}`)}
          error={faults[end]}
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
