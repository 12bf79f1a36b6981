import Type from 'typebox';
import type { Reader } from '../../../src/db/database.ts';
import { generalErrors } from '../../../src/kernel/declare/errors.ts';
import { operation } from '../../../src/kernel/declare/operation.ts';
import { Id, Nullable } from '../../../src/kernel/declare/schemas.ts';
import { refreshForRead, requireAffiliate } from '../../../src/modules/affiliates/index.ts';
import { findCouponsByUser } from '../../../src/modules/coupons/index.ts';
import { readBy } from '../announcements/announcement-mail.ts';
import { isMuted } from '../announcements/deliver.ts';
import { countMembers, listMembers, type SegmentFilter } from '../announcements/segment-rows.ts';
import { filterOf } from '../announcements/segment.ts';
import { checkTexts, draftExample, draftFields } from './announcement-wire.ts';

const PreviewSchema = Type.Object(
  {
    receivers: Type.Integer({ description: 'How many affiliates are in the segment now.' }),
    reader: Nullable(
      Type.Object(
        {
          user_id: Type.Integer({ description: 'The affiliate.' }),
          name: Type.String({ description: 'Its name.' }),
          muted: Type.Boolean({ description: 'Whether it has switched off such emails.' }),
          language: Type.String({ description: 'The language that it gets.' }),
          subject: Type.String({ description: 'With the values of the affiliate.' }),
          text: Type.String({ description: 'Plain text; an empty line begins a paragraph.' }),
        },
        { description: 'Null without texts, or without a receiver.' },
      ),
    ),
  },
  {
    $id: 'AnnouncementPreview',
    examples: [
      {
        receivers: 41,
        reader: {
          user_id: 7,
          name: 'Maya Ortiz',
          muted: false,
          language: 'en',
          subject: 'A new collection',
          text: 'Hello Maya Ortiz,\n\nhave a look: https://partners.example/r/MAYA10',
        },
      },
    ],
  },
);

export const previewAnnouncement = operation({
  method: 'POST',
  namespace: 'store',
  path: '/announcements/preview',
  summary: 'Show an announcement as one affiliate reads it',
  description:
    'With its values, in its language, and how many are in the segment now. Without `user_id` it is the first ' +
    'receiver by name. Nothing is stored or sent.',
  access: 'admin',
  scope: 'write',
  long: true,
  body: Type.Object(
    {
      texts: Type.Optional(draftFields.texts),
      segment: draftFields.segment,
      user_id: Type.Optional(Id('The affiliate who reads it; also one who is not in the segment.')),
    },
    { $id: 'PreviewAnnouncement' },
  ),
  example: { body: draftExample },
  response: PreviewSchema,
  errors: [generalErrors.notFound],
  check: checkTexts,
  // It only reads, and waits for no writer.
  transaction: false,
  async handle({ db, site }, { texts, segment = {}, user_id }) {
    await refreshForRead(db, site);
    const filter = filterOf(site, segment);
    const receivers = await countMembers(db, filter);
    const reader = texts && (await readerOf(db, filter, user_id));
    if (!reader) return { receivers, reader: null };
    const [coupon] = await findCouponsByUser(db, [reader.id]);
    return {
      receivers,
      reader: {
        user_id: reader.id,
        name: reader.display_name,
        muted: isMuted(reader),
        ...readBy(site, texts, reader, coupon?.code),
      },
    };
  },
});

async function readerOf(db: Reader, filter: SegmentFilter, userId: number | undefined) {
  if (userId !== undefined) return requireAffiliate(db, userId);
  const [first] = await listMembers(db, filter, { limit: 1, offset: 0 });
  return first;
}
