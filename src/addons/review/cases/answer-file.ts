import Type, { type Static } from 'typebox';
import { readFirst, write } from '../../../db/statements/calls.ts';
import { invalidParameters } from '../../../kernel/call/parameters.ts';

const BYTES_MAX = 500_000;

export const AnswerFileInput = Type.Object(
  {
    name: Type.String({
      minLength: 1,
      maxLength: 200,
      pattern: '^[^/\\\\\\u0000-\\u001f]+$',
      description: 'Its name, without a folder.',
      examples: ['invoice.pdf'],
    }),
    content: Type.String({
      minLength: 1,
      maxLength: 1_000_000,
      contentEncoding: 'base64',
      description: `The file in base64: PDF, PNG or JPEG, at most ${BYTES_MAX / 1000} kB.`,
      examples: ['JVBERi0xLjcK'],
    }),
  },
  { additionalProperties: false, description: 'A file that supports the answer.' },
);

const types = ['application/pdf', 'image/png', 'image/jpeg'] as const;

export const AnswerFileSchema = Type.Object(
  {
    name: Type.String({ description: 'Its name.' }),
    type: Type.String({ description: 'Its media type, by its content.' }),
    size: Type.Integer({ description: 'Bytes.' }),
  },
  { description: 'The file that came with the answer.' },
);

export type AnswerFile = Static<typeof AnswerFileSchema>;

const beginnings: Record<(typeof types)[number], readonly number[]> = {
  'application/pdf': [0x25, 0x50, 0x44, 0x46, 0x2d],
  'image/png': [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
  'image/jpeg': [0xff, 0xd8, 0xff],
};

/** Throws 400 if the file is none that the team can open. Its content decides, not its name. */
export function readAnswerFile({ name, content }: Static<typeof AnswerFileInput>) {
  const bytes = Buffer.from(content, 'base64');
  const begins = (with_: readonly number[]) => with_.every((byte, i) => bytes[i] === byte);
  const type = types.find((one) => begins(beginnings[one]));
  if (!type) throw invalidParameters({ 'file.content': 'is neither PDF, PNG nor JPEG' });
  if (bytes.length > BYTES_MAX) {
    throw invalidParameters({ 'file.content': `is larger than ${BYTES_MAX / 1000} kB` });
  }
  const file: AnswerFile = { name, type, size: bytes.length };
  return { file, content: bytes.toString('base64') };
}

export const insertFile = write<{ case_id: number; content: string }>((db, p) =>
  db.insertInto('review_files').values({ case_id: p.case_id, content: p.content }),
);

export const findFile = readFirst<{ case_id: number }, { content: string }>((db, p) =>
  db.selectFrom('review_files').select('content').where('case_id', '=', p.case_id),
);

/** Only this module writes the column. */
export function answerFileOf(stored: string | null | undefined): AnswerFile | null {
  return stored ? (JSON.parse(stored) as AnswerFile) : null;
}
