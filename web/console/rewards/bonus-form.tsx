import { useState } from 'preact/hooks';
import type { Bonus } from '../../../sdk/src/index.ts';
import { api } from '../../api.ts';
import { Card } from '../../ui/card.tsx';
import { Choice } from '../../ui/choice.tsx';
import { Field, SelectField } from '../../ui/field.tsx';
import { optionsOf } from '../../ui/options.ts';
import { SwitchField } from '../../ui/switch-field.tsx';
import { t } from '../../words.ts';
import { bonusDraftOf, emptyBonus, hasEnd, withTarget, type BonusDraft } from './bonus-draft.ts';
import { CounterFields } from './counter-fields.tsx';
import { NumberField } from './number-field.tsx';
import { RewardForm, useRewardDraft } from './reward-form.tsx';
import { BONUSES_PATH } from './rules.ts';
import { usePreview } from './use-preview.ts';
import { WhoFields } from './who-fields.tsx';

interface BonusFormProps {
  /** Undefined for a new one. */
  bonus: Bonus | undefined;
  /** Begins again with what is stored. */
  onReload(): void;
}

export function BonusForm({ bonus: shown, onReload }: BonusFormProps) {
  const written = useRewardDraft(shown, emptyBonus, bonusDraftOf);
  const { reward, draft, set } = written;
  const preview = usePreview(
    draft,
    true,
    ({ name, ...asked }) => api.rewards.bonuses.sentence({ ...asked, ...(name && { name }) }),
    reward?.id,
  );
  return (
    <RewardForm
      kind="bonus"
      written={written}
      shown={shown}
      preview={preview}
      path={BONUSES_PATH}
      calls={api.rewards.bonuses}
      onReload={onReload}
    >
      <Card>
        <Field
          name="name"
          label={t('console-rewards.name')}
          hint={t('console-rewards.bonus.nameHint')}
          required
          maxLength={100}
          autocomplete="off"
          defaultValue={draft.name}
          onInput={({ currentTarget }) => set({ name: currentTarget.value })}
        />
        <WhoFields who={draft.who} onWho={(who) => set({ who })} />
      </Card>
      <Card>
        <TargetFields
          draft={draft}
          isNew={reward === undefined}
          onTarget={(target) => set(withTarget(draft, target))}
        />
        {hasEnd(draft.target) && (
          <Choice
            name="once"
            legend={t('console-rewards.bonus.once')}
            current={draft.once}
            options={optionsOf(['window', 'ever'], (value) =>
              t(`console-rewards.bonus.once.${value}`),
            )}
            onChoose={(value) => set({ once: value === 'ever' ? 'ever' : 'window' })}
          />
        )}
      </Card>
      <Card>
        <PaysFields draft={draft} onPays={(pays) => set({ pays })} />
        <p class="muted">{t('console-rewards.bonus.held')}</p>
        <SwitchField
          name="active"
          label={t('console-rewards.active')}
          hint={t('console-rewards.bonus.activeHint')}
          isOn={draft.active}
          onSwitch={(active) => set({ active })}
        />
      </Card>
    </RewardForm>
  );
}

const targets = ['counter', 'first_order', 'accepted'] as const;

interface TargetFieldsProps {
  draft: BonusDraft;
  isNew: boolean;
  onTarget(target: BonusDraft['target']): void;
}

/** What is reached. What was typed for the counter comes back with it. */
function TargetFields({ draft: { target }, isNew, onTarget }: TargetFieldsProps) {
  const [typed, setTyped] = useState(emptyBonus.target);
  const { event, by = 'sales', counts = 'granted', window = { kind: 'month' } } = target;
  const kind = event ?? 'counter';
  return (
    <>
      <Choice
        name="target"
        legend={t('console-rewards.bonus.target')}
        current={kind}
        options={optionsOf(targets, (value) => t(`console-rewards.bonus.target.${value}`))}
        onChoose={(value) => {
          if (kind === 'counter') setTyped(target);
          const chosen = targets.find((one) => one === value)!;
          onTarget(chosen === 'counter' ? typed : { event: chosen });
        }}
      />
      {kind === 'counter' && (
        <>
          <div class="field-row">
            <CounterFields
              name="target"
              counter={{ by, counts, window }}
              onCounter={(changes) => onTarget({ ...target, ...changes })}
            />
            <NumberField
              name="target.at"
              label={t(`console-rewards.from.${by}`)}
              required
              value={target.at}
              onNumber={(at) => onTarget({ ...target, at })}
            />
          </div>
          <p class="muted">
            {t(`console-rewards.bonus.${isNew || !hasEnd(target) ? 'soFar' : 'fromNext'}`)}
          </p>
        </>
      )}
    </>
  );
}

interface PaysFieldsProps {
  draft: BonusDraft;
  onPays(pays: BonusDraft['pays']): void;
}

function PaysFields({ draft: { target, pays }, onPays }: PaysFieldsProps) {
  const isShare = pays.percent !== undefined;
  return (
    <>
      {hasEnd(target) && (
        <Choice
          name="pays"
          legend={t('console-rewards.bonus.pays')}
          current={isShare ? 'percent' : 'amount'}
          options={(['amount', 'percent'] as const).map((value) => ({
            value,
            label: t(`console-rewards.bonus.pays.${value}`),
            hint: t(`console-rewards.bonus.pays.${value}.hint`),
          }))}
          onChoose={(value) =>
            onPays(value === 'percent' ? { percent: NaN, of: 'sales' } : { amount: NaN })
          }
        />
      )}
      <div class="field-row">
        {isShare ? (
          <>
            <NumberField
              key="percent"
              name="pays.percent"
              label={t('console-rewards.percent')}
              required
              value={pays.percent}
              onNumber={(percent) => onPays({ ...pays, percent })}
            />
            <SelectField
              name="pays.of"
              label={t('console-rewards.bonus.of')}
              required
              value={pays.of}
              options={optionsOf(['sales', 'commission'], (value) =>
                t(`console-rewards.by.${value}`),
              )}
              onChange={({ currentTarget: { value } }) =>
                onPays({ ...pays, of: value === 'commission' ? 'commission' : 'sales' })
              }
            />
          </>
        ) : (
          <NumberField
            key="amount"
            name="pays.amount"
            label={t('console-rewards.bonus.amount')}
            required
            value={pays.amount}
            onNumber={(amount) => onPays({ amount })}
          />
        )}
      </div>
    </>
  );
}
