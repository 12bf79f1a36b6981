import { ImageError, refuseSize } from './image-error.ts';

export interface SafeJpeg {
  readonly bytes: Buffer;
  readonly width: number;
  readonly height: number;
}

const START = Buffer.from([0xff, 0xd8]);
const END = Buffer.from([0xff, 0xd9]);
/** Markers of the formats that browsers show: baseline, extended and progressive. */
const FRAMES = new Set([0xc0, 0xc1, 0xc2]);
const SCAN = 0xda;
/** Tables, and what browsers need to show the colours: JFIF, colour profiles, Adobe. */
const KEPT = new Set([...FRAMES, SCAN, 0xc4, 0xdb, 0xdd, 0xe0, 0xe2, 0xee]);
const SEGMENTS_MAX = 2_000;

export function isJpeg(bytes: Buffer): boolean {
  return bytes.subarray(0, 2).equals(START) && bytes[2] === 0xff;
}

/**
 * Checks the structure and the size, and writes a file with nothing but the image: no place or time of the camera, no
 * texts, and nothing that follows the image. The pixels are not decoded.
 */
export function readJpeg(bytes: Buffer, sideMax: number): SafeJpeg {
  const parts: Buffer[] = [START];
  let size: { width: number; height: number } | undefined;
  let at = START.length;
  for (let count = 0; count < SEGMENTS_MAX; count++) {
    const marker = bytes[at + 1];
    if (bytes[at] !== 0xff || marker === undefined) throw new ImageError('is damaged');
    if (marker === 0xff) {
      // A byte that fills up space before a marker.
      at += 1;
      continue;
    }
    if (marker === END[1]) {
      if (!size) throw new ImageError('has no image');
      return { bytes: Buffer.concat([...parts, END]), ...size };
    }
    const end = endOfSegment(bytes, at, marker);
    if (FRAMES.has(marker)) size = sizeOf(bytes, at, sideMax);
    if (marker === SCAN && !size) throw new ImageError('is damaged');
    if (KEPT.has(marker)) parts.push(bytes.subarray(at, end));
    at = end;
  }
  throw new ImageError('is damaged');
}

function endOfSegment(bytes: Buffer, at: number, marker: number): number {
  if (at + 4 > bytes.length) throw new ImageError('is not complete');
  const length = bytes.readUInt16BE(at + 2);
  let end = at + 2 + length;
  if (length < 2 || end > bytes.length) throw new ImageError('is not complete');
  if (marker !== SCAN) return end;
  // The pixels follow. They last until a marker that is neither an escaped byte nor a restart of the decoder.
  for (;;) {
    end = bytes.indexOf(0xff, end);
    const next = bytes[end + 1];
    if (end === -1 || next === undefined) throw new ImageError('is not complete');
    if (next !== 0 && next !== 0xff && (next < 0xd0 || next > 0xd7)) return end;
    end += next === 0xff ? 1 : 2;
  }
}

function sizeOf(bytes: Buffer, at: number, sideMax: number): { width: number; height: number } {
  if (at + 9 > bytes.length) throw new ImageError('is not complete');
  const [height, width] = [bytes.readUInt16BE(at + 5), bytes.readUInt16BE(at + 7)];
  refuseSize(width, height, sideMax);
  return { width, height };
}
