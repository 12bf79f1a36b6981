import type { Sharp } from 'sharp';
import { ApiError, generalErrors } from '../../kernel/declare/errors.ts';
import { FairQueue, QueueFullError, type QueuedCaller } from '../../shared/fair-queue.ts';
import { FileError } from './file-error.ts';

/** A photo of a phone, 4,032 × 3,024, takes 49 MB while it is decoded. All frames of an animation count. */
const PIXELS_MAX = 12_200_000;
const SECONDS_MAX = 5;
export const SMALL_SIDE = 400;
/** A page with one of them is light, whatever was photographed. */
const SMALL_BYTES_MAX = 18_000;
/** Sides and qualities of the small picture, until one is small enough: most are with the first. */
const SMALL_SIZES = [
  [SMALL_SIDE, 78],
  [SMALL_SIDE, 50],
  [SMALL_SIDE, 25],
  [SMALL_SIDE / 2, 40],
] as const;

/** Only what we accept is ever decoded: the library reads many more formats. */
const LOADERS = [
  'VipsForeignLoadJpegBuffer',
  'VipsForeignLoadPngBuffer',
  'VipsForeignLoadWebpBuffer',
  'VipsForeignLoadNsgifBuffer',
];

export const imageTypes = ['image/jpeg', 'image/png', 'image/webp', 'image/gif'] as const;
export type ImageType = (typeof imageTypes)[number];

export interface EncodedImage {
  readonly bytes: Buffer;
  readonly small: Buffer;
  readonly width: number;
  readonly height: number;
}

const encoders: Record<ImageType, (image: Sharp) => Sharp> = {
  'image/jpeg': (image) => image.jpeg({ quality: 88 }),
  'image/png': (image) => image.png(),
  'image/webp': (image) => image.webp({ quality: 88 }),
  'image/gif': (image) => image.gif(),
};

/** One image at a time, so that the memory is that of one, in turns for its senders. */
const queue = new FairQueue({
  running: 1,
  runningPerCaller: 1,
  waiting: 20,
  waitingPerCaller: 2,
});

/**
 * Decodes the pixels and writes them again, together with a small picture. Nothing else of the file remains: no place
 * of a camera, no text, and nothing that another program would take for a file of its own. The library works in
 * threads of its own.
 */
export async function encodeImage(
  bytes: Buffer,
  type: ImageType,
  sender: QueuedCaller,
): Promise<EncodedImage> {
  try {
    return await queue.run(sender, () => encode(bytes, type));
  } catch (error) {
    if (!(error instanceof QueueFullError)) throw error;
    throw new ApiError(generalErrors.rateLimited, {
      message: 'Too many images are being read at the moment. Try again in a few seconds.',
      data: { retry_after: SECONDS_MAX },
    });
  }
}

async function encode(bytes: Buffer, type: ImageType): Promise<EncodedImage> {
  const sharp = await loadSharp();
  const endsAt = performance.now() + SECONDS_MAX * 1_000;
  const open = (animated: boolean) =>
    sharp(bytes, { animated, limitInputPixels: PIXELS_MAX, failOn: 'error' }).timeout({
      seconds: Math.max(1, Math.ceil((endsAt - performance.now()) / 1_000)),
    });
  try {
    const isMoving = type === 'image/gif' || type === 'image/webp';
    const header = sharp(bytes, { limitInputPixels: false });
    const { width, height, pages = 1 } = await header.metadata();
    if (width * height * pages > PIXELS_MAX) {
      throw new FileError(
        `has ${width} × ${height} pixels${pages > 1 ? ` in ${pages} frames` : ''}; ` +
          `at most ${PIXELS_MAX / 1e6} million are allowed`,
      );
    }
    const upright = open(isMoving).autoOrient();
    const { data, info } = await encoders[type](upright).toBuffer({ resolveWithObject: true });
    const small = await encodeSmall(open(false).autoOrient());
    const frameHeight = info.pageHeight ?? info.height;
    return { bytes: data, small, width: info.width, height: frameHeight };
  } catch (error) {
    if (error instanceof FileError) throw error;
    // The library has no class or code for it.
    if (String(error).includes('timeout:')) {
      throw new FileError(`takes longer than ${SECONDS_MAX} seconds to read`);
    }
    throw new FileError('is damaged, or not an image that can be shown');
  }
}

async function encodeSmall(image: Sharp): Promise<Buffer> {
  let small = Buffer.alloc(0);
  for (const [side, quality] of SMALL_SIZES) {
    const resized = image.clone().resize(side, side, { fit: 'inside', withoutEnlargement: true });
    small = await resized.webp({ quality }).toBuffer();
    if (small.length <= SMALL_BYTES_MAX) break;
  }
  return small;
}

async function loadSharp() {
  const { default: sharp } = await import('sharp');
  sharp.cache(false);
  sharp.concurrency(1);
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({ operation: LOADERS });
  return sharp;
}
