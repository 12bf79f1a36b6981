import { brotliDecompressSync } from 'node:zlib';

export interface StatementFonts {
  readonly regular: Buffer;
  readonly bold: Buffer;
}

let fonts: Promise<StatementFonts> | undefined;

/**
 * The fonts of printed statements. The fonts that every PDF reader has lack letters such as ł, ş and Cyrillic, so the
 * file contains its own. They are loaded with the first statement that is printed.
 */
export function statementFonts(): Promise<StatementFonts> {
  fonts ??= import('./noto-sans.json', { with: { type: 'json' } }).then(({ default: font }) => ({
    regular: brotliDecompressSync(Buffer.from(font.regular, 'base64')),
    bold: brotliDecompressSync(Buffer.from(font.bold, 'base64')),
  }));
  return fonts;
}

/** Latin, Greek and Cyrillic letters with punctuation and currency signs: what the fonts contain. */
const COVERED =
  /^[\u0020-\u007e\u00a0-\u024f\u0370-\u04ff\u1e00-\u1eff\u2010-\u2027\u20a0-\u20bf]*$/;

/** Whether the fonts have every letter of a text. Each missing one is printed as an empty box. */
export function isCovered(text: string): boolean {
  return COVERED.test(text);
}
