import { useLocation } from 'wouter-preact';
import type { ReviewRule } from '../../../sdk/src/index.ts';
import { api } from '../../../web/api.ts';
import { useData } from '../../../web/data.ts';
import type { Address } from '../../../web/frame/address.ts';
import { Button } from '../../../web/ui/button.tsx';
import { Card } from '../../../web/ui/card.tsx';
import { textColumn } from '../../../web/ui/columns.tsx';
import { DataTable, type Column } from '../../../web/ui/data-table.tsx';
import { Dialog } from '../../../web/ui/dialog.tsx';
import { PendingCard } from '../../../web/ui/error-state.tsx';
import { AreaField, Field, SelectField } from '../../../web/ui/field.tsx';
import { Form, valuesOf, type FormValues } from '../../../web/ui/form.tsx';
import { Pill } from '../../../web/ui/pill.tsx';
import { formatNumber, hasWord, t } from '../../../web/words.ts';
import { ruleName } from './review-words.tsx';
import { refreshRules, RuleRecord } from './rule-record.tsx';
import { Trial, useTrial } from './rule-trial.tsx';

export function useReviewRules() {
  return useData('cases', { part: 'rules' }, () => api.review.rules.list());
}

/** What the review looks at, and what it does with what it finds. One rule is opened at a time. */
export function ReviewRules({ address }: { address: Address }) {
  const { data, error, retry } = useReviewRules();
  const [, navigate] = useLocation();
  if (!data) {
    return <PendingCard error={error} retry={retry} lines={8} height="3rem" />;
  }
  const open = data.items.find(({ name }) => name === address.get('rule'));
  return (
    <>
      <p class="muted">{t('console-review.rulesText')}</p>
      <Card>
        <DataTable
          caption={t('console-review.view.rules')}
          columns={columns}
          rows={data.items}
          keyOf={({ name }) => name}
          hrefOf={({ name }) => address.hrefOf({ rule: name })}
        />
      </Card>
      {open && (
        <Dialog
          title={ruleName(open.name)}
          onClose={() => navigate(address.hrefOf({ rule: undefined }))}
        >
          <RuleForm rule={open} />
        </Dialog>
      )}
    </>
  );
}

const actionKinds = { off: 'plain', note: 'accent', hold: 'warn', reject: 'bad' } as const;

const columns: readonly Column<ReviewRule>[] = [
  textColumn('rule', t('console-review.rule'), 'title', ({ name }) => ruleName(name)),
  {
    key: 'looks',
    label: t('console-review.looksAt'),
    phone: 'detail',
    cell: ({ sentence }) => <span class="rule-sentence">{sentence}</span>,
  },
  {
    key: 'action',
    label: t('console-review.action'),
    phone: 'state',
    cell: ({ action }) => (
      <Pill kind={actionKinds[action ?? 'off']}>{t(`console-review.does.${action ?? 'off'}`)}</Pill>
    ),
  },
  {
    key: 'found',
    label: t('console-review.found'),
    phone: 'aside',
    cell: ({ hits, confirmed, false_alarms: wrong }) =>
      hits === 0 ? (
        <span class="muted desktop-only">0</span>
      ) : (
        <>
          <span class="phone-only">{t('console-review.found')}: </span>
          {formatNumber(hits)}
          {confirmed + wrong > 0 && (
            <span class="muted rule-confirmed">
              {t('console-review.confirmed', { count: confirmed + wrong, confirmed })}
            </span>
          )}
        </>
      ),
  },
];

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

/** Shares, which people enter in percent. */
const inPercent = new Set(['conversion', 'share']);

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
      defaultValue={String(inPercent.has(name) ? Math.round(Number(value) * 10_000) / 100 : value)}
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
    const number = inPercent.has(key) ? Number(text) / 100 : Number(text);
    return [key, Array.isArray(value) ? entriesIn(text, key) : number] as const;
  });
  return Object.fromEntries(changed);
}

/** Domains and names may be separated by spaces too; those of campaigns may have some. */
function entriesIn(text: string, key: string): string[] {
  const entries = text.split(key === 'campaigns' ? '\n' : /\s+/).map((entry) => entry.trim());
  return [...new Set(entries)].filter(Boolean);
}
