import Type from 'typebox';
import { generalErrors } from '../../../src/kernel/declare/errors.ts';
import { operation } from '../../../src/kernel/declare/operation.ts';
import { Id, LocalTime, Nullable, StringEnum } from '../../../src/kernel/declare/schemas.ts';
import { requireAffiliate } from '../../../src/modules/affiliates/index.ts';
import { findCouponsByUser } from '../../../src/modules/coupons/index.ts';
import { readBy, type Texts } from '../announcements/announcement-mail.ts';
import { isMuted } from '../announcements/deliver.ts';
import { listReceived } from '../announcements/receiver-rows.ts';
import { findMember } from '../series/member-rows.ts';
import { dueAt } from '../series/membership.ts';
import { requireSeries } from '../series/save-series.ts';
import { listSteps } from '../series/series-rows.ts';
import { memberStates, receiverStates } from '../tables.ts';

const PreviewSchema = Type.Object(
  {
    user_id: Type.Integer({ description: 'The affiliate.' }),
    name: Type.String({ description: 'Its name.' }),
    muted: Type.Boolean({ description: 'Whether it has switched off such emails.' }),
    state: Nullable(
      StringEnum(memberStates, { description: 'Where it is; null: it has never been in it.' }),
    ),
    steps: Type.Array(
      Type.Object({
        id: Type.Integer({ description: 'The step.' }),
        after_days: Type.Integer({ description: 'Days after entering.' }),
        date: LocalTime('When it is or was due: for one who is not in it, as if it entered now.'),
        state: Nullable(
          StringEnum(receiverStates, { description: 'What became of the email; null: not sent.' }),
        ),
        language: Type.String({ description: 'The language that it gets.' }),
        subject: Type.String({ description: 'With the values of the affiliate.' }),
        text: Type.String({ description: 'Plain text; an empty line begins a paragraph.' }),
      }),
    ),
  },
  {
    $id: 'SeriesPreview',
    examples: [
      {
        user_id: 7,
        name: 'Maya Ortiz',
        muted: false,
        state: null,
        steps: [
          {
            id: 5,
            after_days: 0,
            date: '2026-11-20T12:12:00',
            state: null,
            language: 'en',
            subject: 'Welcome',
            text: 'Hello Maya Ortiz,\n\nyour link: https://partners.example/r/MAYA10',
          },
        ],
      },
    ],
  },
);

export const previewSeries = operation({
  method: 'GET',
  namespace: 'store',
  path: '/series/{id}/preview/{user_id}',
  summary: 'What an affiliate gets from a series, and when',
  description: 'Every step with the values and in the language of the affiliate. Nothing is sent.',
  access: 'admin',
  scope: 'read',
  params: Type.Object({ id: Id('The series.'), user_id: Id('The affiliate.') }),
  response: PreviewSchema,
  errors: [generalErrors.notFound],
  async handle({ db, site, nowMs }, { id, user_id }) {
    await requireSeries(db, id);
    const affiliate = await requireAffiliate(db, user_id);
    const steps = await listSteps(db, [id]);
    const ids = JSON.stringify(steps.map((step) => step.id));
    const [member, received, [coupon]] = await Promise.all([
      findMember(db, { series_id: id, user_id }),
      listReceived(db, { user_id, ids }),
      findCouponsByUser(db, [user_id]),
    ]);
    const stateOf = new Map(received.map((one) => [one.announcement_id, one.state]));
    return {
      user_id,
      name: affiliate.display_name,
      muted: isMuted(affiliate),
      state: member?.state ?? null,
      steps: steps.map((step) => ({
        id: step.id,
        after_days: step.after_days,
        date: site.calendar.toLocal(dueAt(member ?? { entered_at: nowMs }, step)),
        state: stateOf.get(step.id) ?? null,
        // They were checked when they were stored.
        ...readBy(site, JSON.parse(step.texts) as Texts, affiliate, coupon?.code),
      })),
    };
  },
});
