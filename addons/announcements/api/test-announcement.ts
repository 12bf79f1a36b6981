import Type from 'typebox';
import { ApiError, generalErrors } from '../../../src/kernel/declare/errors.ts';
import { operation } from '../../../src/kernel/declare/operation.ts';
import { Id } from '../../../src/kernel/declare/schemas.ts';
import { enqueueMail } from '../../../src/modules/mail/index.ts';
import { randomBase62 } from '../../../src/shared/secrets.ts';
import {
  announcementMail,
  dataOf,
  textFor,
  type Texts,
} from '../announcements/announcement-mail.ts';
import { requireAnnouncement } from '../announcements/change-state.ts';

const PER_NETWORK_AND_MINUTE = 10;
const EXAMPLE_CODE = 'MAYA10';

export const testAnnouncement = operation({
  method: 'POST',
  namespace: 'store',
  path: '/announcements/{id}/test',
  summary: 'Send an announcement to yourself',
  description:
    'In each of its languages, with your name and an example of a code. Also for a step of a series. Tests ' +
    'are not counted. At most ten in a minute.',
  access: 'admin',
  scope: 'write',
  params: Type.Object({ id: Id('The announcement.') }),
  status: 202,
  response: Type.Object(
    { to: Type.String({ description: 'Your email address.' }) },
    { $id: 'AnnouncementTest', examples: [{ to: 'robin@example.com' }] },
  ),
  errors: [generalErrors.notFound, generalErrors.rateLimited],
  permit: ({ db }, { id }) => requireAnnouncement(db, id),
  prepare: async (_input, { limits }, { network }) =>
    (await limits.take(`mail tests from ${network}`, PER_NETWORK_AND_MINUTE)).allowed,
  async handle({ db, site, caller, nowMs, prepared: isAllowed }, { id }) {
    if (!isAllowed) throw new ApiError(generalErrors.rateLimited);
    const row = await requireAnnouncement(db, id);
    // They were checked when they were stored.
    const texts = JSON.parse(row.texts) as Texts;
    const { email, displayName } = caller.person!;
    // A test is sent also to a caller that has switched off announcements.
    const { notice: _notice, ...mail } = announcementMail;
    for (const one of Object.keys(texts) as (keyof Texts)[]) {
      const { language, subject, text } = textFor(site, texts, one);
      enqueueMail(db, site, mail, {
        to: { address: email, name: displayName, language },
        data: dataOf(site, displayName, EXAMPLE_CODE),
        key: `test:announcement:${randomBase62(12)}`,
        nowMs,
        draft: { subject: `[Test] ${subject}`, text },
      });
    }
    return { to: email };
  },
});
