import type { ComponentChildren } from 'preact';
import type { CreateSeries, Series } from '../../../sdk/src/index.ts';
import { api } from '../../../web/api.ts';
import { refresh } from '../../../web/data.ts';
import { Dialog } from '../../../web/ui/dialog.tsx';
import { Field, SelectField } from '../../../web/ui/field.tsx';
import { Form, type FormValues } from '../../../web/ui/form.tsx';
import { optionsOf } from '../../../web/ui/options.ts';
import { SwitchField } from '../../../web/ui/switch-field.tsx';
import { t } from '../../../web/words.ts';
import { textsIn, TextsFields } from './text-fields.tsx';

const starts = ['accepted', 'first_order', 'idle', 'step_reached'] as const;
const DAYS_MAX = 730;
const IDLE_DAYS = 60;

interface SeriesFormProps {
  /** The one that is changed; without it a new one is made. */
  series?: Series;
  onClose(): void;
  onDone(id: number): void;
}

/** The name of a series, who enters it and what ends it. */
export function SeriesForm({ series, onClose, onDone }: SeriesFormProps) {
  return (
    <Dialog
      title={series ? t('console-announcements.edit') : t('console-announcements.series.create')}
      onClose={onClose}
    >
      <Form
        action={t('console-announcements.series.save')}
        showsReasons
        submit={async (values, options) => {
          const input = inputOf(values);
          const saved = series
            ? await api.series.update(series.id, input, options)
            : await api.series.create(input, options);
          await refresh('mail-series');
          onDone(saved.id);
        }}
      >
        <Field
          name="name"
          label={t('console-announcements.series.name')}
          required
          maxLength={100}
          defaultValue={series?.name ?? ''}
        />
        <SelectField
          name="starts_on"
          label={t('console-announcements.series.start')}
          required
          value={series?.starts_on ?? 'accepted'}
          options={optionsOf(starts, (value) => t(`console-announcements.starts.${value}`))}
        />
        <Field
          name="idle_days"
          type="number"
          label={t('console-announcements.series.idleDays')}
          hint={t('console-announcements.series.idleDaysHint')}
          min={1}
          max={DAYS_MAX}
          defaultValue={String(series?.idle_days ?? IDLE_DAYS)}
        />
        <SwitchField
          name="ends_on_order"
          label={t('console-announcements.series.endsOnOrder')}
          isOn={series?.ends_on_order ?? false}
        />
      </Form>
    </Dialog>
  );
}

function inputOf(values: FormValues): CreateSeries {
  const starts_on = starts.find((one) => one === values['starts_on']) ?? 'accepted';
  return {
    name: values['name']?.trim() ?? '',
    starts_on,
    ...(starts_on === 'idle' && { idle_days: Number(values['idle_days'] || IDLE_DAYS) }),
    ends_on_order: 'ends_on_order' in values,
  };
}

type Step = Series['steps'][number];

interface StepFormProps {
  series: Series;
  /** The one that is changed; without it one is added. */
  step?: Step | undefined;
  /** Another form: one cannot be inside of another. */
  below?: ComponentChildren;
  onClose(): void;
}

/** When a step is sent, and its texts. All steps are sent to the service, in the order of their days. */
export function StepForm({ series, step, below, onClose }: StepFormProps) {
  const others = series.steps.filter((one) => one !== step);
  const last = others.at(-1)?.after_days;
  return (
    <Dialog
      isWide
      title={step ? t('console-announcements.edit') : t('console-announcements.series.addStep')}
      onClose={onClose}
    >
      <Form
        action={t('console-announcements.series.save')}
        showsReasons
        errorOf={(name) =>
          name.endsWith('after_days') ? t('console-announcements.series.daysTaken') : undefined
        }
        submit={async (values, options) => {
          const after_days = Number(values['after_days'] ?? 0);
          const changed = { ...(step && { id: step.id }), after_days, texts: textsIn(values) };
          await saveSteps(series, [...others, changed], options);
          onClose();
        }}
      >
        <Field
          name="after_days"
          type="number"
          label={t('console-announcements.series.afterDays')}
          hint={t('console-announcements.series.afterDaysHint')}
          required
          min={0}
          max={DAYS_MAX}
          defaultValue={String(step?.after_days ?? (last === undefined ? 0 : last + 7))}
        />
        <TextsFields texts={step?.texts ?? {}} />
      </Form>
      {below}
    </Dialog>
  );
}

/** Replaces the steps of a series. */
export async function saveSteps(
  series: Series,
  steps: readonly (Omit<Step, 'id' | 'figures'> & { id?: number })[],
  options: Parameters<typeof api.series.update>[2],
): Promise<void> {
  const input = steps
    .toSorted((a, b) => a.after_days - b.after_days)
    .map(({ id, after_days, texts }) => ({ ...(id !== undefined && { id }), after_days, texts }));
  await api.series.update(series.id, { steps: input }, options);
  await refresh('mail-series');
}
