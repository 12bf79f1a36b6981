import Type from 'typebox';
import { collection, pageHeaders } from '../../../kernel/cache/collection.ts';
import { generalErrors } from '../../../kernel/declare/errors.ts';
import { operation } from '../../../kernel/declare/operation.ts';
import { Id, LocalTime, pageParameters } from '../../../kernel/declare/schemas.ts';
import { requireOwnAffiliate } from '../../../modules/affiliates/index.ts';
import { findCouponsByUser } from '../../../modules/coupons/index.ts';
import { renderText } from '../../../modules/mail/index.ts';
import { dataOf, textFor, type Texts } from '../announcements/announcement-mail.ts';
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
      const data = dataOf(site, affiliate.display_name, coupon?.code);
      return rows.map((row) => {
        // They were checked when they were stored.
        const found = textFor(site, JSON.parse(row.texts) as Texts, affiliate.language);
        const render = (text: string) => renderText(site, text, { language: found.language, data });
        return {
          id: row.id,
          subject: render(found.subject),
          text: render(found.text),
          language: found.language,
          date: site.calendar.toLocal(row.shown_at),
          read: row.read_at !== null,
        };
      });
    });
  },
});
