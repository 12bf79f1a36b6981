import { promisify } from 'node:util';
import { crc32, inflate } from 'node:zlib';
import { ImageError, refuseSize } from './image-error.ts';

export interface SafePng {
  readonly bytes: Buffer;
  readonly width: number;
  readonly height: number;
}

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** Colours and pixels. Texts, times and camera data are left out, and so is what follows the image. */
const KEPT = new Set(['IHDR', 'PLTE', 'tRNS', 'gAMA', 'cHRM', 'sRGB', 'IDAT', 'IEND']);
/** Bytes of a chunk around its data: the length, the type, the checksum. */
const FRAME = 12;
/** Up to two bytes for each of up to four channels. A row has one more byte, for its filter. */
const PIXEL_BYTES_MAX = 8;

const unpack = promisify(inflate);

export function isPng(bytes: Buffer): boolean {
  return bytes.subarray(0, SIGNATURE.length).equals(SIGNATURE);
}

/** Checks the structure, the size and the pixels, and writes a file with nothing but the image. */
export async function readPng(bytes: Buffer, sideMax: number): Promise<SafePng> {
  const chunks = chunksOf(bytes);
  const header = chunks[0];
  if (header?.type !== 'IHDR' || header.data.length !== 13) throw new ImageError('has no header');
  const [width, height] = [header.data.readUInt32BE(0), header.data.readUInt32BE(4)];
  refuseSize(width, height, sideMax);
  const pixels = Buffer.concat(
    chunks.filter(({ type }) => type === 'IDAT').map(({ data }) => data),
  );
  // An interlaced image has up to seven times as many rows, which are shorter.
  const maxOutputLength = (width * PIXEL_BYTES_MAX + 8) * height * 2;
  const size = await unpack(pixels, { maxOutputLength }).then(
    ({ length }) => length,
    () => 0,
  );
  if (size < height) throw new ImageError('has pixels that cannot be read');
  const kept = chunks.filter(({ type }) => KEPT.has(type)).map(({ whole }) => whole);
  return { bytes: Buffer.concat([SIGNATURE, ...kept]), width, height };
}

interface Chunk {
  readonly type: string;
  readonly data: Buffer;
  readonly whole: Buffer;
}

function chunksOf(bytes: Buffer): Chunk[] {
  const chunks: Chunk[] = [];
  for (let at = SIGNATURE.length; at + FRAME <= bytes.length;) {
    const end = at + FRAME + bytes.readUInt32BE(at);
    if (end > bytes.length) break;
    const type = bytes.toString('latin1', at + 4, at + 8);
    const data = bytes.subarray(at + 8, end - 4);
    if (crc32(bytes.subarray(at + 4, end - 4)) !== bytes.readUInt32BE(end - 4)) {
      throw new ImageError('is damaged');
    }
    chunks.push({ type, data, whole: bytes.subarray(at, end) });
    if (type === 'IEND') return chunks;
    at = end;
  }
  throw new ImageError('is not complete');
}
