import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import type { Announcement, ChangeAnnouncement } from '../../../sdk/src/index.ts';
import { api } from '../../../web/api.ts';
import { refresh, useData } from '../../../web/data.ts';
import { Card } from '../../../web/ui/card.tsx';
import { PendingCard } from '../../../web/ui/error-state.tsx';
import { Field } from '../../../web/ui/field.tsx';
import { Form, valuesOf, type FormValues } from '../../../web/ui/form.tsx';
import { SwitchField } from '../../../web/ui/switch-field.tsx';
import { t } from '../../../web/words.ts';
import { useUnsaved } from '../../../web/console/unsaved.ts';
import { PATH } from './announcement-tabs.tsx';
import { MailServerNotice } from './mail-server.tsx';
import { Preview, usePreview } from './preview.tsx';
import { SegmentFields, segmentIn } from './segment-fields.tsx';
import { Receivers } from './segment-sentence.tsx';
import { textsIn, TextsFields } from './text-fields.tsx';

interface AnnouncementFormProps {
  /** The draft that is changed; without it a new one is written. */
  draft?: Announcement;
}

const channels = ['mail', 'portal'] as const;

/** An announcement while it is written: beside it how one affiliate reads it, and above it who gets it. */
export function AnnouncementForm({ draft }: AnnouncementFormProps) {
  const { data, error, retry } = useData('groups', { per_page: 100 }, (input) =>
    api.groups.list(input),
  );
  // Groups that are not known yet would be groups that were not chosen.
  if (!data) return <PendingCard error={error} retry={retry} lines={12} />;
  return <Written draft={draft} groups={data.items.map(({ name }) => name)} />;
}

function Written({ draft, groups }: { draft: Announcement | undefined; groups: string[] }) {
  const [, navigate] = useLocation();
  const box = useRef<HTMLDivElement>(null);
  const first = useRef<string>();
  // A later answer of the service changes nothing that is being written.
  const [{ texts, segment, channels: chosen, send_at }] = useState(
    () => draft ?? { texts: {}, segment: {}, channels, send_at: null },
  );
  const [written, setWritten] = useState<ChangeAnnouncement>({ texts, segment });
  const [isSaved, setSaved] = useState(false);
  const read = () => {
    const now = inputOf(valuesOf(box.current!.querySelector('form')!));
    first.current ??= JSON.stringify(now);
    setWritten(now);
  };
  useLayoutEffect(read, []);
  const isChanged = first.current !== undefined && first.current !== JSON.stringify(written);
  useUnsaved(isChanged && !isSaved, t('console-announcements.leave'));
  const preview = usePreview(written.texts, written.segment);
  return (
    <div class="announcement-columns">
      <div ref={box} onInput={read}>
        <Form
          action={t('console-announcements.save')}
          showsReasons
          submit={async (values, options) => {
            const input = inputOf(values);
            const saved = draft
              ? await api.announcements.update(draft.id, input, options)
              : await api.announcements.create({ ...input, texts: input.texts ?? {} }, options);
            setSaved(true);
            await refresh('announcements');
            navigate(`${PATH}/${saved.id}`, { replace: true });
          }}
        >
          <Card title={t('console-announcements.text')}>
            <TextsFields texts={texts} />
          </Card>
          <Card title={t('console-announcements.to')}>
            <Receivers preview={preview} />
            <SegmentFields segment={segment} groups={groups} />
          </Card>
          <Card title={t('console-announcements.channels')}>
            <SwitchField
              name="portal"
              label={t('console-announcements.inPortal')}
              isOn={chosen.includes('portal')}
            />
            <SwitchField
              name="mail"
              label={t('console-announcements.byMail')}
              isOn={chosen.includes('mail')}
            />
            {(written.channels ?? chosen).includes('mail') && <MailServerNotice />}
            <Field
              name="send_at"
              type="datetime-local"
              label={t('console-announcements.sendAt')}
              hint={t('console-announcements.sendAtHint')}
              defaultValue={send_at?.slice(0, 16) ?? ''}
            />
          </Card>
        </Form>
      </div>
      <Preview preview={preview} />
    </div>
  );
}

function inputOf(values: FormValues): ChangeAnnouncement {
  const at = values['send_at']?.trim() ?? '';
  return {
    texts: textsIn(values),
    segment: segmentIn(values),
    channels: channels.filter((one) => one in values),
    send_at: at === '' ? null : `${at.slice(0, 16)}:00`,
  };
}
