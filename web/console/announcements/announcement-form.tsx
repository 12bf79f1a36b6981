import type { Announcement, ChangeAnnouncement } from '../../../sdk/src/index.ts';
import { api } from '../../api.ts';
import { refresh, useData } from '../../data.ts';
import { Field, SelectField } from '../../ui/field.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Form, type FormValues } from '../../ui/form.tsx';
import { optionsOf } from '../../ui/options.ts';
import { SwitchField } from '../../ui/switch-field.tsx';
import { t } from '../../words.ts';
import { textsIn, TextsFields } from './text-fields.tsx';

interface AnnouncementFormProps {
  /** The draft that is changed; without it a new one is written. */
  draft?: Announcement;
  onClose(): void;
  onDone(id: number): void;
}

/** Writes an announcement, or changes a draft. */
export function AnnouncementForm({ draft, onClose, onDone }: AnnouncementFormProps) {
  const groups = useData('groups', { per_page: 100 }, (input) => api.groups.list(input));
  const { texts = {}, segment = {}, channels = ['mail', 'portal'] } = draft ?? {};
  return (
    <Dialog
      isWide
      title={draft ? t('console-announcements.edit') : t('console-announcements.write')}
      onClose={onClose}
    >
      <Form
        action={t('console-announcements.save')}
        showsReasons
        submit={async (values, options) => {
          const known = groups.data?.items.map(({ name }) => name) ?? segment.groups ?? [];
          const input = inputOf(values, known);
          const saved = draft
            ? await api.announcements.update(draft.id, input, options)
            : await api.announcements.create({ ...input, texts: input.texts ?? {} }, options);
          await refresh('announcements');
          onDone(saved.id);
        }}
      >
        <TextsFields texts={texts} />
        {groups.data && groups.data.items.length > 0 && (
          <fieldset>
            <legend>{t('console-announcements.groups')}</legend>
            {groups.data.items.map(({ name }) => (
              <SwitchField
                key={name}
                name={`group ${name}`}
                label={name}
                isOn={segment.groups?.includes(name) ?? false}
              />
            ))}
          </fieldset>
        )}
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
        <SwitchField
          name="no_clicks"
          label={t('console-announcements.noClicks')}
          isOn={segment.no_clicks ?? false}
        />
        <SwitchField
          name="mail"
          label={t('console-announcements.byMail')}
          isOn={channels.includes('mail')}
        />
        <SwitchField
          name="portal"
          label={t('console-announcements.inPortal')}
          isOn={channels.includes('portal')}
        />
        <Field
          name="send_at"
          type="datetime-local"
          label={t('console-announcements.sendAt')}
          hint={t('console-announcements.sendAtHint')}
          defaultValue={draft?.send_at?.slice(0, 16) ?? ''}
        />
      </Form>
    </Dialog>
  );
}

function inputOf(values: FormValues, groups: readonly string[]): ChangeAnnouncement {
  const given = (name: string) => values[name]?.trim() || undefined;
  const chosen = groups.filter((name) => `group ${name}` in values);
  const tags = (given('tags') ?? '')
    .split(',')
    .map((tag) => tag.trim())
    .filter(Boolean);
  const [joined_from, earned_from] = [given('joined_from'), given('earned_from')];
  const at = given('send_at');
  return {
    texts: textsIn(values),
    segment: {
      status: values['status'] === 'suspended' ? 'suspended' : 'active',
      ...(chosen.length > 0 && { groups: chosen }),
      ...(tags.length > 0 && { tags }),
      ...(joined_from !== undefined && { joined_from }),
      ...(earned_from !== undefined && { earned_from }),
      ...('no_clicks' in values && { no_clicks: true }),
    },
    channels: (['mail', 'portal'] as const).filter((one) => one in values),
    send_at: at === undefined ? null : `${at.slice(0, 16)}:00`,
  };
}
