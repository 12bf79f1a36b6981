import Type from 'typebox';
import { inPieces } from './turn-budget.ts';

/** The content of a file in the body of a request: base64 in JSON, bytes in a form. It is checked when it is read. */
export function FileContent(
  bytesMax: number,
  { description, example }: { description: string; example: string },
) {
  return Type.String({
    minLength: 1,
    maxLength: Math.ceil(bytesMax / 3) * 4,
    contentEncoding: 'base64',
    description,
    examples: [example],
  });
}

/** Whole groups of four characters. */
const PIECE_CHARACTERS = 1 << 20;

/** The bytes of a file. No other module decodes one. */
export async function bytesOf(content: string): Promise<Buffer> {
  const bytes = Buffer.alloc(byteLengthOf(content));
  let length = 0;
  await inPieces(content.length, PIECE_CHARACTERS, (from, to) => {
    length += bytes.write(content.slice(from, to), length, 'base64');
  });
  return bytes.subarray(0, length);
}

export function byteLengthOf(content: string): number {
  return Buffer.byteLength(content, 'base64');
}
