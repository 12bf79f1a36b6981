import type { ReviewRule } from '../../../sdk/src/index.ts';
import { api } from '../../api.ts';
import { useData } from '../../data.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { PendingCard } from '../../ui/error-state.tsx';
import { AreaField, Field, SelectField } from '../../ui/field.tsx';
import { Form, valuesOf, type FormValues } from '../../ui/form.tsx';
import { hasWord, t } from '../../words.ts';
import { ruleName } from './review-words.tsx';
import { refreshRules, RuleRecord } from './rule-record.tsx';
import { Trial, useTrial } from './rule-trial.tsx';

export function useReviewRules() {
  return useData('cases', { part: 'rules' }, () => api.review.rules.list());
}

/** What the review looks at, and what it does with what it finds. Each rule is saved by itself. */
export function ReviewRules() {
  const { data, error, retry } = useReviewRules();
  if (!data) {
    return <PendingCard error={error} retry={retry} lines={8} height="3rem" />;
  }
  return (
    <>
      <p class="muted">{t('console-review.rulesText')}</p>
      <div class="review-rules">
        {data.items.map((rule) => (
          <Card key={rule.name} title={ruleName(rule.name)}>
            <RuleForm rule={rule} />
          </Card>
        ))}
      </div>
    </>
  );
}

function RuleForm({ rule }: { rule: ReviewRule }) {
  const { name, sentence, actions, action } = rule;
  const thresholds = thresholdsOf(rule);
  const trial = useTrial(name);
  return (
    <>
      <p class="muted">{sentence}</p>
      <RuleRecord rule={rule} />
      <Form
        kind="quiet"
        action={t('console-review.save')}
        done={t('console-review.saved')}
        showsReasons
        submit={async (values, options) => {
          await api.review.rules.update(name, changesOf(values, rule, thresholds), options);
          await refreshRules();
        }}
        beside={
          <Button
            type="button"
            kind="quiet"
            busy={trial.isBusy}
            onClick={({ currentTarget: { form } }) => {
              if (form?.reportValidity()) trial.run(thresholdsIn(valuesOf(form), thresholds));
            }}
          >
            {t('console-review.try')}
          </Button>
        }
      >
        <SelectField
          id={`${name}-action`}
          name="action"
          label={t('console-review.action')}
          required
          value={action ?? 'off'}
          options={actions.map((value) => ({ value, label: t(`console-review.action.${value}`) }))}
        />
        {Object.entries(thresholds).map(([key, value]) => (
          <Threshold key={key} id={`${name}-${key}`} name={key} value={value} />
        ))}
        <Trial {...trial} />
      </Form>
    </>
  );
}

/** A number, or a list with one entry a line. */
function Threshold({ id, name, value }: { id: string; name: string; value: unknown }) {
  const key = `console-review.option.${name}`;
  const label = hasWord(key) ? t(key) : name;
  return Array.isArray(value) ? (
    <AreaField
      id={id}
      name={name}
      label={label}
      hint={t('console-review.onePerLine')}
      rows={3}
      value={value.join('\n')}
    />
  ) : (
    <Field
      id={id}
      name={name}
      label={label}
      type="number"
      min="0"
      step="any"
      inputMode="decimal"
      required
      defaultValue={String(value)}
    />
  );
}

/** The record of a rule is not changed with it. */
function thresholdsOf(rule: ReviewRule): Record<string, unknown> {
  const {
    name: _name,
    sentence: _sentence,
    is_default: _default,
    actions: _actions,
    action: _action,
    hits: _hits,
    confirmed: _confirmed,
    false_alarms: _alarms,
    turn_off_proposed: _proposed,
    ...thresholds
  } = rule;
  return thresholds;
}

function changesOf(values: FormValues, { actions }: ReviewRule, thresholds: object) {
  const action = actions.find((known) => known === values['action']);
  return { ...thresholdsIn(values, thresholds), ...(action && { action }) };
}

function thresholdsIn(values: FormValues, thresholds: object) {
  const changed = Object.entries(thresholds).map(([key, value]) => {
    const text = values[key] ?? '';
    return [key, Array.isArray(value) ? entriesIn(text, key) : Number(text)] as const;
  });
  return Object.fromEntries(changed);
}

/** Domains and names may be separated by spaces too; those of campaigns may have some. */
function entriesIn(text: string, key: string): string[] {
  const entries = text.split(key === 'campaigns' ? '\n' : /\s+/).map((entry) => entry.trim());
  return [...new Set(entries)].filter(Boolean);
}
