import Type, { type Static } from 'typebox';
import { Nullable } from '../../kernel/declare/schemas.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { endingOf } from '../../shared/file-name.ts';
import { SMALL_SIDE } from './encode-image.ts';
import type { FileRow } from './file-rows.ts';

/** What responses say of a file. */
export const FileFacts = Type.Object(
  {
    url: Type.String({
      description: 'The address of the file. It cannot be guessed, and never changes.',
    }),
    name: Type.String({ description: 'Its name, with the ending of its type.' }),
    type: Type.String({ description: 'Its media type, by its content.' }),
    width: Nullable(Type.Integer({ description: 'Pixels; null if it is no image.' })),
    height: Nullable(Type.Integer({ description: 'Pixels; null if it is no image.' })),
    bytes: Type.Integer({ description: 'Its size.' }),
    thumbnail: Nullable(
      Type.String({
        description: 'The address of a small picture, 400 pixels at most; null if it is no image.',
      }),
    ),
  },
  { additionalProperties: false, description: 'A file.' },
);
export type FileFacts = Static<typeof FileFacts>;

export function toFileFacts({ publicUrl }: Site, row: FileRow): FileFacts {
  const address = `${publicUrl}/files/${row.key}`;
  return factsOf(row, `${address}.${endingOf(row.type)}`, `${address}-small.webp`);
}

/** Of a private file, at the address of the operation that decides who reads it: it takes `small` as a parameter. */
export function toPrivateFacts(row: FileRow, url: string): FileFacts {
  return factsOf(row, url, `${url}?small=true`);
}

function factsOf(row: FileRow, url: string, small: string): FileFacts {
  const { name, type, width, height, bytes, small_bytes } = row;
  return { url, name, type, width, height, bytes, thumbnail: small_bytes > 0 ? small : null };
}

/** The small picture of an image at the address of an operation that sends it, for pages of this site. */
export function smallPicture({ width, height }: FileRow, url: string) {
  if (width === null || height === null) return undefined;
  const scale = Math.min(1, SMALL_SIDE / Math.max(width, height));
  return {
    url,
    width: Math.round(width * scale),
    height: Math.round(height * scale),
  };
}
