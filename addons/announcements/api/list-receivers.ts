import Type from 'typebox';
import { collection, pageHeaders } from '../../../src/kernel/cache/collection.ts';
import { generalErrors } from '../../../src/kernel/declare/errors.ts';
import { operation } from '../../../src/kernel/declare/operation.ts';
import {
  Id,
  LocalTime,
  Nullable,
  pageParameters,
  StringEnum,
} from '../../../src/kernel/declare/schemas.ts';
import { refreshForRead } from '../../../src/modules/affiliates/index.ts';
import { requireAnnouncement } from '../announcements/change-state.ts';
import { isMuted } from '../announcements/deliver.ts';
import { countReceivers, listReceiverRows } from '../announcements/receiver-rows.ts';
import { countMembers, listMembers } from '../announcements/segment-rows.ts';
import { filterOf, type Segment } from '../announcements/segment.ts';
import { receiverStates } from '../tables.ts';

const ReceiverSchema = Type.Object(
  {
    user_id: Type.Integer({ description: 'The affiliate.' }),
    name: Type.String({ description: 'Its name.' }),
    email: Type.String({ description: 'Its address.' }),
    state: Nullable(
      StringEnum(receiverStates, {
        description:
          'queued: the email waits; muted: no email, because the person switched them off; shown: in the portal only; ' +
          'unknown: the email may have arrived; null before it is sent.',
      }),
    ),
    error: Type.String({ description: 'Why the email failed: the answer of the mail server.' }),
    date: Nullable(LocalTime('When this happened.')),
  },
  {
    $id: 'Receiver',
    examples: [
      {
        user_id: 7,
        name: 'Maya Ortiz',
        email: 'maya@example.com',
        state: null,
        error: '',
        date: null,
      },
    ],
  },
);

export const listReceivers = operation({
  method: 'GET',
  namespace: 'store',
  path: '/announcements/{id}/receivers',
  summary: 'Who gets an announcement',
  description:
    'Before it is sent, the affiliates that are in its segment now, by name; afterwards its receivers, and what ' +
    'became of each email. The header with the total has their number.',
  access: 'admin',
  scope: 'read',
  long: true,
  params: Type.Object({ id: Id('The announcement.') }),
  query: Type.Object({
    state: Type.Optional(
      StringEnum(receiverStates, { description: 'Only these, of one that was sent.' }),
    ),
    ...pageParameters,
  }),
  response: Type.Array(ReceiverSchema),
  headers: pageHeaders,
  errors: [generalErrors.notFound],
  async handle({ db, site }, { id, state, ...page }) {
    const row = await requireAnnouncement(db, id);
    const { calendar } = site;
    if (row.state !== 'draft' && row.state !== 'scheduled') {
      const filter = { announcement_id: id, state };
      return collection(page, await countReceivers(db, filter), async (slice) =>
        (await listReceiverRows(db, filter, slice)).map((one) => ({
          user_id: one.user_id,
          name: one.display_name,
          email: one.email,
          state: one.state,
          error: one.error,
          date: calendar.toLocal(one.updated_at),
        })),
      );
    }
    await refreshForRead(db, site);
    // It was checked when it was stored.
    const filter = filterOf(site, JSON.parse(row.segment) as Segment);
    return collection(page, await countMembers(db, filter), async (slice) =>
      (await listMembers(db, filter, slice)).map((member) => ({
        user_id: member.id,
        name: member.display_name,
        email: member.email,
        state: row.by_mail === 1 && isMuted(member) ? ('muted' as const) : null,
        error: '',
        date: null,
      })),
    );
  },
});
