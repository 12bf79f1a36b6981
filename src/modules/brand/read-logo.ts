import { createHash } from 'node:crypto';
import { isUtf8 } from 'node:buffer';
import { invalidParameters } from '../../kernel/call/parameters.ts';
import { isPng, PngError, readPng } from './read-png.ts';
import { readSvg, SvgError } from './read-svg.ts';

export const SVG_BYTES_MAX = 100_000;
export const PNG_BYTES_MAX = 256_000;

/** A file that is safe to serve as `getBrandFile` does. */
export interface LogoFile {
  readonly name: string;
  /** In base64. */
  readonly content: string;
  readonly width: number;
  readonly height: number;
}

/** Throws 400 if the file is not an SVG or PNG image that a logo may be. */
export async function readLogo(base64: string): Promise<LogoFile> {
  const bytes = Buffer.from(base64, 'base64');
  try {
    if (isPng(bytes)) {
      refuseLarger(bytes, PNG_BYTES_MAX);
      const png = await readPng(bytes);
      return toFile(png.bytes, 'png', png);
    }
    if (!isUtf8(bytes) || !bytes.includes('<svg')) throw new SvgError('is neither SVG nor PNG');
    refuseLarger(bytes, SVG_BYTES_MAX);
    return toFile(bytes, 'svg', readSvg(bytes.toString()));
  } catch (error) {
    if (!(error instanceof SvgError || error instanceof PngError)) throw error;
    throw invalidParameters({ content: error.message });
  }
}

function refuseLarger(bytes: Buffer, most: number): void {
  if (bytes.length <= most) return;
  throw new SvgError(`is larger than ${most / 1000} kB`);
}

function toFile(
  bytes: Buffer,
  type: 'svg' | 'png',
  { width, height }: Pick<LogoFile, 'width' | 'height'>,
): LogoFile {
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 16);
  const name = `logo-${hash}.${type}`;
  return {
    name,
    content: bytes.toString('base64'),
    width: Math.ceil(width),
    height: Math.ceil(height),
  };
}
