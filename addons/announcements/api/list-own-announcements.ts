import Type from 'typebox';
import { collection, pageHeaders } from '../../../src/kernel/cache/collection.ts';
import { generalErrors } from '../../../src/kernel/declare/errors.ts';
import { operation } from '../../../src/kernel/declare/operation.ts';
import { Id, LocalTime, pageParameters } from '../../../src/kernel/declare/schemas.ts';
import { requireOwnAffiliate } from '../../../src/modules/affiliates/index.ts';
import { findCouponsByUser } from '../../../src/modules/coupons/index.ts';
import { readBy, type Texts } from '../announcements/announcement-mail.ts';
import { countNews, listNews } from '../announcements/receiver-rows.ts';

const OwnAnnouncementSchema = Type.Object(
  {
    id: Type.Integer({ description: 'The id of the announcement.' }),
    subject: Type.String({ description: 'Its title.' }),
    text: Type.String({ description: 'Plain text; an empty line begins a paragraph.' }),
    language: Type.String({ description: 'The language of both.' }),
    date: LocalTime('When it was sent.'),
    read: Type.Boolean({ description: 'Whether the affiliate has read it in the portal.' }),
  },
  {
    $id: 'OwnAnnouncement',
    examples: [
      {
        id: 4,
        subject: 'A new collection',
        text: 'Hello Maya,\n\nhave a look: https://partners.example/r/MAYA10',
        language: 'en',
        date: '2026-11-20T11:20:00',
        read: false,
      },
    ],
  },
);

export const listOwnAnnouncements = operation({
  method: 'GET',
  namespace: 'store',
  path: '/affiliates/{id}/announcements',
  summary: 'The announcements to an affiliate',
  description:
    'For admins and the affiliate itself: those for the portal, newest first, in its language.',
  access: 'owner',
  scope: 'read',
  params: Type.Object({ id: Id('The affiliate.') }),
  query: Type.Object({
    unread: Type.Optional(Type.Boolean({ description: 'True: only those that were not read.' })),
    ...pageParameters,
  }),
  response: Type.Array(OwnAnnouncementSchema),
  headers: pageHeaders,
  errors: [generalErrors.notFound],
  async handle({ db, site, caller }, { id, unread = false, ...page }) {
    const affiliate = await requireOwnAffiliate(db, caller, id);
    const filter = { user_id: id, unread: unread || undefined };
    return collection(page, await countNews(db, filter), async (slice) => {
      const rows = await listNews(db, filter, slice);
      const [coupon] = rows.length === 0 ? [] : await findCouponsByUser(db, [id]);
      return rows.map((row) => ({
        id: row.id,
        // They were checked when they were stored.
        ...readBy(site, JSON.parse(row.texts) as Texts, affiliate, coupon?.code),
        date: site.calendar.toLocal(row.shown_at),
        read: row.read_at !== null,
      }));
    });
  },
});
