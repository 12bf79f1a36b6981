/** A limit as a sentence names it: 5 MB, 256 kB, 1 MiB. */
export function sizeText(bytes: number): string {
  const isBinary = bytes % 1000 !== 0 && bytes % 1024 === 0;
  const [unit, kilo, mega] = isBinary ? [1024, 'KiB', 'MiB'] : [1000, 'kB', 'MB'];
  if (bytes < unit) return `${bytes} bytes`;
  const [size, name] = bytes < unit ** 2 ? [bytes / unit, kilo] : [bytes / unit ** 2, mega];
  return `${Number(size.toFixed(1))} ${name}`;
}

/** What was sent has more bytes than it may have. */
export class TooLarge extends Error {
  override name = 'TooLarge';
  readonly bytesMax: number;

  constructor(bytesMax: number) {
    super(`is larger than ${sizeText(bytesMax)}`);
    this.bytesMax = bytesMax;
  }
}
