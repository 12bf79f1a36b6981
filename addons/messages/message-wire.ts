import Type, { type Static } from 'typebox';
import type { Reader } from '../../src/db/database.ts';
import { LocalTime, Nullable, StringEnum } from '../../src/kernel/declare/schemas.ts';
import type { Site } from '../../src/kernel/declare/site.ts';
import { FileFacts, findFiles, toPrivateFacts } from '../../src/modules/files/index.ts';
import { findFilesOfMessages, type MessageRow } from './message-rows.ts';
import { sides, type Side, type ThreadRow } from './tables.ts';
import { otherSide } from './thread.ts';

const MessageFile = Type.Object(
  {
    id: Type.Integer({ description: 'The id of the file.' }),
    ...FileFacts.properties,
    url: Type.String({
      description: 'Where the team and the affiliate, and no other, can read it.',
    }),
  },
  { additionalProperties: false, description: 'A file.' },
);

export const MessageSchema = Type.Object(
  {
    id: Type.Integer({ description: 'The id of the message.' }),
    from: StringEnum(sides, { description: 'The side that wrote it.' }),
    author: Nullable(
      Type.Object(
        {
          id: Type.Integer({ description: 'The id of the person.' }),
          name: Type.String({ description: 'The name of the person.' }),
        },
        { additionalProperties: false, description: 'The person who wrote it.' },
      ),
    ),
    text: Type.String({ description: 'Plain text; an empty line begins a paragraph.' }),
    files: Type.Array(MessageFile, { description: 'Its files.' }),
    date: LocalTime('When it was sent.'),
    read: Type.Boolean({ description: 'Whether the other side has read it.' }),
  },
  {
    $id: 'ThreadMessage',
    additionalProperties: false,
    description: '`author` is null for affiliates if the team wrote it.',
    examples: [
      {
        id: 31,
        from: 'affiliate',
        author: { id: 8, name: 'Maya Lindt' },
        text: 'Hello,\n\nmay I use the picture on a poster?',
        files: [
          {
            id: 12,
            url: 'https://partners.example/svc/store/v1/affiliates/8/messages/files/12',
            name: 'poster.pdf',
            type: 'application/pdf',
            width: null,
            height: null,
            bytes: 48213,
            thumbnail: null,
          },
        ],
        date: '2026-11-20T11:24:10',
        read: true,
      },
    ],
  },
);
type Message = Static<typeof MessageSchema>;

export type ListedMessage = MessageRow & { author_name: string | null };

/** Messages as the reader sees them. */
export async function toMessages(
  db: Reader,
  site: Site,
  rows: readonly ListedMessage[],
  { thread, reader }: { thread: ThreadRow; reader: Side },
): Promise<Message[]> {
  const links =
    rows.length === 0
      ? []
      : await findFilesOfMessages(
          db,
          rows.map(({ id }) => id),
        );
  const ids = links.map(({ file_id }) => file_id);
  const files = ids.length === 0 ? [] : await findFiles(db, ids);
  const address = `${site.publicUrl}/svc/store/v1/affiliates/${thread.user_id}/messages/files`;
  return rows.map((row) => {
    const isHidden = reader === 'affiliate' && row.side === 'team';
    return {
      id: row.id,
      from: row.side,
      author:
        row.author_name === null || isHidden ? null : { id: row.author_id, name: row.author_name },
      text: row.text,
      files: links
        .filter(({ message_id }) => message_id === row.id)
        .flatMap(({ file_id }) => files.filter(({ id }) => id === file_id))
        .map((file) => ({ id: file.id, ...toPrivateFacts(file, `${address}/${file.id}`) })),
      date: site.calendar.toLocal(row.created_at),
      read: row.id <= thread[`${otherSide(row.side)}_read_id`],
    };
  });
}
