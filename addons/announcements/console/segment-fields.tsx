import type { Announcement } from '../../../sdk/src/index.ts';
import { languages } from '../../../src/shared/languages.ts';
import { ownNames } from '../../../web/language-names.ts';
import '../../../web/ui/check-list.css';
import { Field, SelectField } from '../../../web/ui/field.tsx';
import type { FormValues } from '../../../web/ui/form.tsx';
import { optionsOf } from '../../../web/ui/options.ts';
import { SwitchField } from '../../../web/ui/switch-field.tsx';
import { t } from '../../../web/words.ts';

export type Segment = Announcement['segment'];

interface SegmentFieldsProps {
  segment: Segment;
  /** Every group of the program. */
  groups: readonly string[];
}

/** The conditions that receivers meet: folded while there are none. */
export function SegmentFields({ segment, groups }: SegmentFieldsProps) {
  const known = [...new Set([...groups, ...(segment.groups ?? [])])];
  return (
    <details class="segment" open={Object.keys(segment).some((name) => name !== 'status')}>
      <summary>{t('console-announcements.onlySome')}</summary>
      <div class="segment-fields">
        {known.length > 0 && (
          <Checks
            name="group"
            label={t('console-announcements.groups')}
            options={known.map((value) => ({ value, label: value }))}
            chosen={segment.groups}
          />
        )}
        <Checks
          name="language"
          label={t('console-announcements.languages')}
          options={languages.map((value) => ({ value, label: ownNames[value] }))}
          chosen={segment.languages}
        />
        <Field
          name="tags"
          label={t('console-announcements.tags')}
          hint={t('console-announcements.tagsHint')}
          maxLength={1000}
          defaultValue={segment.tags?.join(', ') ?? ''}
        />
        <SelectField
          name="status"
          label={t('console-announcements.status')}
          value={segment.status ?? 'active'}
          options={optionsOf(['active', 'suspended'], (value) =>
            t(`console-announcements.status.${value}`),
          )}
        />
        <div class="segment-days">
          <Field
            name="joined_from"
            type="date"
            label={t('console-announcements.joined')}
            defaultValue={segment.joined_from ?? ''}
          />
          <Field
            name="earned_from"
            type="date"
            label={t('console-announcements.earned')}
            defaultValue={segment.earned_from ?? ''}
          />
        </div>
        <SwitchField
          name="no_clicks"
          label={t('console-announcements.noClicks')}
          isOn={segment.no_clicks ?? false}
        />
      </div>
    </details>
  );
}

interface ChecksProps {
  name: 'group' | 'language';
  label: string;
  options: readonly { value: string; label: string }[];
  chosen: readonly string[] | undefined;
}

function Checks({ name, label, options, chosen = [] }: ChecksProps) {
  return (
    <fieldset class="check-list">
      <legend>{label}</legend>
      {options.map(({ value, label: text }) => (
        <label key={value}>
          <input
            type="checkbox"
            name={`${name} ${value}`}
            defaultChecked={chosen.includes(value)}
          />
          {text}
        </label>
      ))}
    </fieldset>
  );
}

export function segmentIn(values: FormValues): Segment {
  const given = (name: string) => values[name]?.trim() || undefined;
  const checked = (name: string) =>
    Object.keys(values).flatMap((one) =>
      one.startsWith(`${name} `) ? [one.slice(name.length + 1)] : [],
    );
  const groups = checked('group');
  const read = languages.filter((one) => checked('language').includes(one));
  const tags = (given('tags') ?? '')
    .split(',')
    .map((tag) => tag.trim())
    .filter(Boolean);
  const [joined_from, earned_from] = [given('joined_from'), given('earned_from')];
  return {
    ...(values['status'] === 'suspended' && { status: 'suspended' }),
    ...(groups.length > 0 && { groups }),
    ...(read.length > 0 && { languages: read }),
    ...(tags.length > 0 && { tags }),
    ...(joined_from !== undefined && { joined_from }),
    ...(earned_from !== undefined && { earned_from }),
    ...('no_clicks' in values && { no_clicks: true }),
  };
}
