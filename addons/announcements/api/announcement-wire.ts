import Type, { type Static } from 'typebox';
import type { FieldErrors } from '../../../src/kernel/declare/field-errors.ts';
import { LocalTime, Nullable, StringEnum } from '../../../src/kernel/declare/schemas.ts';
import type { Site } from '../../../src/kernel/declare/site.ts';
import { errorOfTemplate, textFields } from '../../../src/modules/mail/index.ts';
import { languages } from '../../../src/shared/languages.ts';
import { announcementMail, type Texts } from '../announcements/announcement-mail.ts';
import type { AnnouncementRow } from '../announcements/announcement-rows.ts';
import { SegmentSchema, type Segment } from '../announcements/segment.ts';
import { announcementStates } from '../tables.ts';

const TextSchema = Type.Object(textFields, { additionalProperties: false });

export const TextsSchema = Type.Object(
  Object.fromEntries(languages.map((one) => [one, Type.Optional(TextSchema)])),
  {
    $id: 'AnnouncementTexts',
    additionalProperties: false,
    minProperties: 1,
    examples: [{ en: { subject: 'A new collection', text: 'Hello {{name}}' } }],
    description:
      'By language. Each receiver gets it in its own language, else in that of the store, else in the first one. May ' +
      'contain {{name}}, {{coupon_code}}, {{referral_url}} and the placeholders of all emails, such as {{site.name}}.',
  },
);

const channels = ['mail', 'portal'] as const;

export const draftExample = {
  texts: {
    en: {
      subject: 'A new collection',
      text: 'Hello {{name}},\n\nhave a look: {{referral_url}}',
    },
  },
  segment: { groups: ['Gold'] },
};

export const draftFields = {
  texts: TextsSchema,
  segment: Type.Optional(SegmentSchema),
  send_at: Type.Optional(
    Nullable(LocalTime('When it is sent, in the time of the store; null or in the past: at once.')),
  ),
  channels: Type.Optional(
    Type.Array(StringEnum(channels), {
      minItems: 1,
      maxItems: 2,
      uniqueItems: true,
      description: 'By email, in the portal, or both, which is the default.',
    }),
  ),
};

const count = (description: string) => Type.Integer({ description });

export const FiguresSchema = Type.Object(
  {
    receivers: count('People who got it so far, by email or in the portal.'),
    waiting: count('Emails that wait to be sent.'),
    sent: count('Emails that the mail server has accepted.'),
    failed: count('Emails that could not be sent.'),
    unknown: count('Emails that may have arrived: the mail server gave no answer.'),
    muted: count('People who have switched off emails of this kind.'),
    unsubscribed: count('People who unsubscribed with the link of the email.'),
  },
  { description: 'Delivery figures.' },
);

/** For examples. */
export const noFigures = {
  receivers: 0,
  waiting: 0,
  sent: 0,
  failed: 0,
  unknown: 0,
  muted: 0,
  unsubscribed: 0,
};

export const AnnouncementSchema = Type.Object(
  {
    id: Type.Integer({ description: 'The id of the announcement.' }),
    state: StringEnum(announcementStates, {
      description: 'What happens to it; `series`: it is a step of a series.',
    }),
    texts: TextsSchema,
    segment: SegmentSchema,
    channels: Type.Array(StringEnum(channels), { description: 'How people get it.' }),
    send_at: Nullable(LocalTime('When it is sent; null: when the team says so.')),
    date_created: LocalTime('When it was written.'),
    date_started: Nullable(LocalTime('When sending began.')),
    date_ended: Nullable(LocalTime('When all was sent, or it was cancelled.')),
    figures: FiguresSchema,
  },
  {
    $id: 'Announcement',
    examples: [
      {
        id: 4,
        state: 'draft',
        ...draftExample,
        channels: ['mail', 'portal'],
        send_at: null,
        date_created: '2026-11-20T11:18:40',
        date_started: null,
        date_ended: null,
        figures: noFigures,
      },
    ],
  },
);

export function toAnnouncement(
  row: AnnouncementRow,
  { calendar }: Site,
): Static<typeof AnnouncementSchema> {
  return {
    id: row.id,
    state: row.state,
    // Both were checked when they were stored.
    texts: JSON.parse(row.texts) as Texts,
    segment: JSON.parse(row.segment) as Segment,
    channels: channels.filter((one) => row[one === 'mail' ? 'by_mail' : 'in_portal'] === 1),
    send_at: calendar.toLocal(row.send_at),
    date_created: calendar.toLocal(row.created_at),
    date_started: calendar.toLocal(row.started_at),
    date_ended: calendar.toLocal(row.ended_at),
    figures: figuresOf(row),
  };
}

export function figuresOf(row: AnnouncementRow): Static<typeof FiguresSchema> {
  const { receivers, queued, sent, failed, unknown, muted, unsubscribed } = row;
  return { receivers, waiting: queued, sent, failed, unknown, muted, unsubscribed };
}

type Draft = Partial<{
  texts: Texts;
  segment: Segment;
  send_at: string | null;
  channels: readonly (typeof channels)[number][];
}>;

/** The columns of what was given. */
export function columnsOf({ calendar }: Site, draft: Draft) {
  const { texts, segment, send_at, channels: by } = draft;
  return {
    ...(texts && { texts: JSON.stringify(texts) }),
    ...(segment && { segment: JSON.stringify(segment) }),
    ...(send_at !== undefined && {
      send_at: send_at === null ? null : calendar.fromLocal(send_at),
    }),
    ...(by && {
      by_mail: Number(by.includes('mail')),
      in_portal: Number(by.includes('portal')),
    }),
  };
}

/** Refuses placeholders that the texts do not have. */
export function checkTexts({ texts }: { texts?: Texts }, errors: FieldErrors): void {
  checkTextsAt('texts', texts, errors);
}

export function checkTextsAt(path: string, texts: Texts | undefined, errors: FieldErrors): void {
  for (const language of languages) {
    for (const field of ['subject', 'text'] as const) {
      const template = texts?.[language]?.[field];
      if (typeof template !== 'string') continue;
      const reason = errorOfTemplate(announcementMail, field, template);
      if (reason !== undefined) errors.add(`${path}.${language}.${field}`, reason);
    }
  }
}
