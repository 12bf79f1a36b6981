import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { TooLarge } from '../../shared/byte-size.ts';
import type { QueuedCaller } from '../../shared/fair-queue.ts';
import { inPieces } from '../../shared/turn-budget.ts';
import { encodeImage, imageTypes, type ImageType } from './encode-image.ts';
import { FileError } from './file-error.ts';

export const IMAGE_BYTES_MAX = 5_000_000;
/** A picture or a document that comes with an answer or a message: often a photo. */
export const DOCUMENT_BYTES_MAX = 10_000_000;
export const FILE_BYTES_MAX = 25_000_000;

const documentTypes = [...imageTypes, 'application/pdf'] as const;
const fileTypes = [...documentTypes, 'application/zip', 'video/mp4', 'text/plain'] as const;
export type FileType = (typeof fileTypes)[number];

const kinds = {
  image: { types: imageTypes, refusal: 'is no image: only JPEG, PNG, WebP and GIF are allowed' },
  document: { types: documentTypes, refusal: 'is none of JPEG, PNG, WebP, GIF and PDF' },
  file: {
    types: fileTypes,
    refusal: 'is none of JPEG, PNG, WebP, GIF, PDF, ZIP, MP4 and plain text',
  },
} satisfies Record<string, { types: readonly FileType[]; refusal: string }>;
export type FileKind = keyof typeof kinds;

/** A file as it is stored. */
export interface SafeFile {
  readonly type: FileType;
  readonly bytes: Buffer;
  readonly sha256: string;
  readonly width: number | null;
  readonly height: number | null;
  /** A small picture of an image. */
  readonly small: Buffer | null;
}

/** Throws a `FileError` or `TooLarge` if it is none of the files that we accept. The content decides, never a name or a header. */
export async function readFile(
  given: Buffer,
  kind: FileKind,
  sender: QueuedCaller,
): Promise<SafeFile> {
  const type = await typeOf(given);
  const { types, refusal }: { types: readonly FileType[]; refusal: string } = kinds[kind];
  if (!type || !types.includes(type)) throw new FileError(refusal);
  const most = bytesMaxOf(kind, type);
  if (given.length > most) throw new TooLarge(most);
  if (!isImage(type)) {
    return {
      type,
      bytes: given,
      sha256: await hash(given),
      width: null,
      height: null,
      small: null,
    };
  }
  const image = await encodeImage(given, type, sender);
  return { type, ...image, sha256: await hash(image.bytes) };
}

function bytesMaxOf(kind: FileKind, type: FileType): number {
  if (kind === 'image') return IMAGE_BYTES_MAX;
  return kind === 'document' || isImage(type) ? DOCUMENT_BYTES_MAX : FILE_BYTES_MAX;
}

const PIECE_BYTES = 1 << 20;

async function hash(bytes: Buffer): Promise<string> {
  const sum = createHash('sha256');
  await inPieces(bytes.length, PIECE_BYTES, (from, to) => sum.update(bytes.subarray(from, to)));
  return sum.digest('hex');
}

function isImage(type: FileType | undefined): type is ImageType {
  return imageTypes.some((image) => image === type);
}

async function typeOf(bytes: Buffer): Promise<FileType | undefined> {
  const text = (from: number, to: number) => bytes.toString('latin1', from, to);
  if (text(0, 3) === '\xff\xd8\xff') return 'image/jpeg';
  if (text(0, 8) === '\x89PNG\r\n\x1a\n') return 'image/png';
  if (text(0, 4) === 'RIFF' && text(8, 12) === 'WEBP') return 'image/webp';
  if (text(0, 6) === 'GIF87a' || text(0, 6) === 'GIF89a') return 'image/gif';
  if (text(0, 5) === '%PDF-') return requireOne(bytes, 'application/pdf');
  if (text(0, 4) === 'PK\x03\x04') return requireOne(bytes, 'application/zip');
  if (text(4, 8) === 'ftyp') return requireOne(bytes, 'video/mp4');
  return (await isText(bytes)) ? 'text/plain' : undefined;
}

const ZIP_END = Buffer.from('PK\x05\x06', 'latin1');
const ZIP_END_BYTES = 22;
/** The comment at the end of a ZIP file has at most so many bytes. */
const COMMENT_MAX = 65_535;

/** Refuses a file that is complete as its type, and as another one too, for a program that reads from the end. */
function requireOne(bytes: Buffer, type: FileType): FileType {
  const tail = bytes.subarray(-(ZIP_END_BYTES + COMMENT_MAX));
  const at = tail.lastIndexOf(ZIP_END);
  if (type !== 'application/zip') {
    if (at >= 0) throw new FileError('is two files in one: another program would read a ZIP file');
    if (type === 'application/pdf' && !tail.subarray(-1_100).includes('%%EOF')) {
      throw new FileError('is not complete, or something follows the end of the PDF file');
    }
    return type;
  }
  const end = at < 0 ? undefined : tail.subarray(at);
  if (!end || end.length !== ZIP_END_BYTES + end.readUInt16LE(20)) {
    throw new FileError('is not complete, or something follows the end of the ZIP file');
  }
  return type;
}

/** Control characters that no text has: it is one for programs, or another type. */
// oxlint-disable-next-line no-control-regex -- these are what it looks for.
const CONTROLS = /[\u0000-\u0008\u000e-\u001f\u007f]/;
const MARKUP = /<(?:!doctype|html|head|body|script|iframe|svg|\?xml)/i;

/** The longest tag, of which a part may be at the end of a piece. */
const TAG_BYTES = '<!doctype'.length;

async function isText(bytes: Buffer): Promise<boolean> {
  if (bytes.length === 0 || !isUtf8(bytes)) return false;
  let [hasControls, hasMarkup] = [false, false];
  await inPieces(bytes.length, PIECE_BYTES, (from, to) => {
    // Controls and tags are ASCII, whose bytes are part of no other character of UTF-8.
    const text = bytes.toString('latin1', Math.max(0, from - TAG_BYTES), to);
    hasControls ||= CONTROLS.test(text);
    hasMarkup ||= MARKUP.test(text);
  });
  if (hasMarkup && !hasControls) {
    throw new FileError('is a page or a drawing that a browser would run; plain text has no tags');
  }
  return !hasControls;
}
