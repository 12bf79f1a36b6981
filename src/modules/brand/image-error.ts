/** Why a file is not a logo or picture; completes the sentence "the file …". */
export class ImageError extends Error {
  override name = 'ImageError';
}

export function refuseSize(width: number, height: number, sideMax: number): void {
  if (width >= 1 && height >= 1 && width <= sideMax && height <= sideMax) return;
  throw new ImageError(
    `is ${width} × ${height} pixels; at most ${sideMax} × ${sideMax} are allowed`,
  );
}
