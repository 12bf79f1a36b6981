import Type, { type Static } from 'typebox';
import type { FileRow } from '../../../src/modules/files/index.ts';

export const AnswerFileSchema = Type.Object(
  {
    name: Type.String({ description: 'Its name.' }),
    type: Type.String({ description: 'Its media type, by its content.' }),
    size: Type.Integer({ description: 'Bytes.' }),
  },
  { description: 'The file that came with the answer.' },
);

export type AnswerFile = Static<typeof AnswerFileSchema>;

/** What the column has: the facts, so that a list of cases reads no files, and the id of the file. */
interface Stored extends AnswerFile {
  readonly id: number;
}

export function storedAnswerFile({ id, name, type, bytes }: FileRow): string {
  return JSON.stringify({ id, name, type, size: bytes } satisfies Stored);
}

export function answerFileOf(stored: string | null | undefined): AnswerFile | null {
  if (!stored) return null;
  const { id: _id, ...facts } = read(stored);
  return facts;
}

export function answerFileId(stored: string | null | undefined): number | undefined {
  return stored ? read(stored).id : undefined;
}

/** Only this module writes the column. */
const read = (stored: string) => JSON.parse(stored) as Stored;
