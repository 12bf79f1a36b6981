import Type from 'typebox';
import { collection, pageHeaders } from '../../../src/kernel/cache/collection.ts';
import { operation } from '../../../src/kernel/declare/operation.ts';
import { LocalTime, pageParameters, StringEnum } from '../../../src/kernel/declare/schemas.ts';
import { sides } from '../tables.ts';
import { countThreads, listThreadRows } from '../thread-rows.ts';

/** Enough to know what it is about. */
const EXCERPT_LENGTH = 200;

const ThreadSchema = Type.Object(
  {
    affiliate_id: Type.Integer({ description: 'The affiliate.' }),
    name: Type.String({ description: 'The name of the affiliate.' }),
    messages: Type.Integer({ description: 'How many messages there are.' }),
    unread: Type.Integer({ description: 'How many of them the team has not read.' }),
    last: Type.Object(
      {
        from: StringEnum(sides, { description: 'The side that wrote it.' }),
        text: Type.String({ description: `Its first ${EXCERPT_LENGTH} characters.` }),
        date: LocalTime('When it was sent.'),
      },
      { additionalProperties: false, description: 'The newest message.' },
    ),
  },
  {
    $id: 'MessageThread',
    additionalProperties: false,
    examples: [
      {
        affiliate_id: 8,
        name: 'Maya Lindt',
        messages: 3,
        unread: 1,
        last: {
          from: 'affiliate',
          text: 'Hello,\n\nmay I use the picture on a poster?',
          date: '2026-11-20T11:24:10',
        },
      },
    ],
  },
);

export const listThreads = operation({
  method: 'GET',
  namespace: 'store',
  path: '/messages',
  summary: 'List threads of messages',
  description: 'One for each affiliate with messages; the one with the newest message first.',
  access: 'admin',
  scope: 'read',
  query: Type.Object({
    unread: Type.Optional(
      Type.Boolean({ description: 'True: only threads with messages that the team has not read.' }),
    ),
    ...pageParameters,
  }),
  response: Type.Array(ThreadSchema),
  headers: pageHeaders,
  async handle({ db, site }, { unread = false, ...page }) {
    const filter = { unread: unread || undefined };
    return collection(page, await countThreads(db, filter), async (slice) =>
      (await listThreadRows(db, filter, slice)).map((row) => ({
        affiliate_id: row.user_id,
        name: row.display_name,
        messages: row.messages,
        unread: row.team_unread,
        last: {
          from: row.side,
          text: row.text.slice(0, EXCERPT_LENGTH),
          date: site.calendar.toLocal(row.created_at),
        },
      })),
    );
  },
});
