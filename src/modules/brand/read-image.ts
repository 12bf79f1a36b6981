import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { invalidParameters, tooLarge } from '../../kernel/call/parameters.ts';
import { bytesOf } from '../../shared/base64-file.ts';
import { TooLarge } from '../../shared/byte-size.ts';
import type { BrandFileKind } from './brand-file-rows.ts';
import { ImageError } from './image-error.ts';
import { isJpeg, readJpeg } from './read-jpeg.ts';
import { isPng, readPng } from './read-png.ts';
import { readSvg } from './read-svg.ts';

/** What is sent. One that is larger than its type may be is refused with the reason. */
export const FILE_BYTES_MAX = 1_000_000;
export const SVG_BYTES_MAX = 100_000;
export const PNG_BYTES_MAX = 256_000;
const LOGO_SIDE_MAX = 1024;
export const PICTURE_BYTES_MAX = 600_000;
export const PICTURE_SIDE_MAX = 2400;

/** A file that is safe to serve as `getBrandFile` does. */
export interface ImageFile {
  readonly name: string;
  /** In base64. */
  readonly content: string;
  readonly width: number;
  readonly height: number;
}

/** Throws 400 if the file is not an SVG or PNG image that a logo may be. */
export function readLogo(base64: string): Promise<ImageFile> {
  return readImage(base64, async (bytes) => {
    if (isPng(bytes)) {
      refuseLarger(bytes, PNG_BYTES_MAX);
      const png = await readPng(bytes, LOGO_SIDE_MAX);
      return toFile('logo', png.bytes, 'png', png);
    }
    if (!isUtf8(bytes) || !bytes.includes('<svg')) throw new ImageError('is neither SVG nor PNG');
    refuseLarger(bytes, SVG_BYTES_MAX);
    return toFile('logo', bytes, 'svg', readSvg(bytes.toString()));
  });
}

/** Throws 400 if the file is not a JPEG or PNG image. SVG is refused, because previews of links do not show it. */
export function readPicture(base64: string): Promise<ImageFile> {
  return readImage(base64, async (bytes) => {
    refuseLarger(bytes, PICTURE_BYTES_MAX);
    if (isPng(bytes)) {
      const png = await readPng(bytes, PICTURE_SIDE_MAX);
      return toFile('picture', png.bytes, 'png', png);
    }
    if (!isJpeg(bytes)) throw new ImageError('is neither JPEG nor PNG');
    const jpeg = readJpeg(bytes, PICTURE_SIDE_MAX);
    return toFile('picture', jpeg.bytes, 'jpg', jpeg);
  });
}

async function readImage(
  base64: string,
  read: (bytes: Buffer) => Promise<ImageFile>,
): Promise<ImageFile> {
  try {
    return await read(await bytesOf(base64));
  } catch (error) {
    if (error instanceof TooLarge) throw tooLarge('content', error);
    if (!(error instanceof ImageError)) throw error;
    throw invalidParameters({ content: error.message });
  }
}

function refuseLarger(bytes: Buffer, most: number): void {
  if (bytes.length > most) throw new TooLarge(most);
}

function toFile(
  kind: BrandFileKind,
  bytes: Buffer,
  type: 'svg' | 'png' | 'jpg',
  { width, height }: Pick<ImageFile, 'width' | 'height'>,
): ImageFile {
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 16);
  const size = { width: Math.ceil(width), height: Math.ceil(height) };
  // The program page is rendered from settings only, and reserves the space of its picture.
  const shape = kind === 'picture' ? `-${size.width}x${size.height}` : '';
  return { name: `${kind}-${hash}${shape}.${type}`, content: bytes.toString('base64'), ...size };
}
