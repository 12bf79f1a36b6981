import Type, { type Static } from 'typebox';
import { LocalTime } from '../../../kernel/declare/schemas.ts';
import type { Site } from '../../../kernel/declare/site.ts';

export const MessageSchema = Type.Object(
  {
    id: Type.Integer({ description: 'The id of the message.' }),
    author: Type.Object(
      { id: Type.Integer(), display_name: Type.String() },
      { description: 'The user who wrote it.' },
    ),
    text: Type.String(),
    date: LocalTime('When it was written.'),
  },
  {
    $id: 'ApplicantMessage',
    examples: [
      {
        id: 3,
        author: { id: 1, display_name: 'Robin Berg' },
        text: 'Which of your channels would you use?',
        date: '2026-01-12T19:30:00',
      },
    ],
  },
);

interface Message {
  id: number;
  author_id: number;
  author: string;
  text: string;
  created_at: number;
}

export function toMessage(
  { id, author_id, author, text, created_at }: Message,
  { calendar }: Site,
): Static<typeof MessageSchema> {
  return {
    id,
    author: { id: author_id, display_name: author },
    text,
    date: calendar.toLocal(created_at),
  };
}
