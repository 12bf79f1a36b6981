import { useLayoutEffect, useState } from 'preact/hooks';
import type { Announcement, AnnouncementPreview } from '../../../sdk/src/index.ts';
import { api } from '../../../web/api.ts';
import { useData } from '../../../web/data.ts';
import { languages } from '../../../src/shared/languages.ts';
import { ownNames } from '../../../web/language-names.ts';
import { Card } from '../../../web/ui/card.tsx';
import { Form } from '../../../web/ui/form.tsx';
import { Notice } from '../../../web/ui/notice.tsx';
import { PlainText } from '../../../web/ui/plain-text.tsx';
import { t } from '../../../web/words.ts';
import {
  AffiliateField,
  affiliateWithLogin,
} from '../../../web/console/affiliates/affiliate-field.tsx';
import { reasonOf } from './refused-text.ts';
import type { Segment } from './segment-fields.tsx';

const TYPING_MS = 300;

type Texts = Announcement['texts'];

export interface LoadedPreview {
  /** The last answer, with the conditions that it is about. */
  readonly data: (AnnouncementPreview & { readonly segment: Segment }) | undefined;
  readonly error: unknown;
  /** It is about what is written now. */
  readonly isCurrent: boolean;
  retry(): void;
  /** Chooses the affiliate; without one it is the first receiver. */
  readAs(id: number): void;
}

/** What the service makes of texts and conditions, asked as soon as the person pauses. */
export function usePreview(texts: Texts = {}, segment: Segment = {}): LoadedPreview {
  const [user_id, setReader] = useState<number>();
  const input = {
    segment,
    ...(user_id !== undefined && { user_id }),
    // The service refuses a text that is not written yet.
    ...(hasText(texts) && { texts: writtenOf(texts) }),
  };
  const text = JSON.stringify(input);
  const [asked, setAsked] = useState(text);
  useLayoutEffect(() => {
    const timer = setTimeout(() => setAsked(text), TYPING_MS);
    return () => clearTimeout(timer);
  }, [text]);
  const { data, error, retry } = useData('announcements', { preview: asked }, async () => {
    const sent = JSON.parse(asked) as typeof input;
    return { asked, segment: sent.segment, ...(await api.announcements.preview(sent)) };
  });
  return { data, error, retry, isCurrent: data?.asked === text, readAs: setReader };
}

const hasText = (texts: Texts) => Object.keys(writtenOf(texts)).length > 0;

function writtenOf(texts: Texts): Texts {
  const complete = languages.filter((one) => texts[one]?.subject && texts[one].text);
  return Object.fromEntries(complete.map((one) => [one, texts[one]]));
}

/** As one affiliate reads it. */
export function Preview({ preview }: { preview: LoadedPreview }) {
  const { data, error, isCurrent, readAs } = preview;
  const reader = data?.reader;
  const reason = reasonOf(error);
  return (
    <div class="announcement-preview">
      <Card title={t('console-announcements.preview')}>
        {reason && <Notice kind="warn">{reason}</Notice>}
        {reader ? (
          <div class="announcement-reader" data-stale={!isCurrent}>
            <p class="muted">
              {t('console-announcements.readBy', {
                name: reader.name,
                language: ownNames[languages.find((one) => one === reader.language) ?? 'en'],
              })}
              {reader.muted && ` ${t('console-announcements.isMuted')}`}
            </p>
            <p class="announcement-subject" lang={reader.language}>
              {reader.subject}
            </p>
            <PlainText text={reader.text} lang={reader.language} />
          </div>
        ) : (
          <p class="muted">{t('console-announcements.noPreview')}</p>
        )}
        <ReadAs onShow={readAs} />
      </Card>
    </div>
  );
}

/** Chooses the affiliate who reads it. */
export function ReadAs({ onShow }: { onShow(id: number): Promise<void> | void }) {
  return (
    <Form
      kind="quiet"
      action={t('console-announcements.show')}
      errorOf={() => t('console.affiliateUnknown')}
      isSilent
      submit={async (values) => {
        const id = await affiliateWithLogin(values['user_id'] ?? '');
        // The service names the field for a login that no affiliate has.
        if (id === 0) await api.announcements.preview({ user_id: id });
        await onShow(id ?? 0);
      }}
    >
      <AffiliateField name="user_id" label={t('console-announcements.readAs')} required />
    </Form>
  );
}
