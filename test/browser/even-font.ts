import type { Page } from 'playwright-core';

const EM = 1000;
/** Letters with their accents, and the signs that texts use; other characters are drawn in a font of the machine. */
const RANGES = [
  [0x20, 0x24f],
  [0x2000, 0x20cf],
  [0x2190, 0x22ff],
] as const;

/** The advance of every letter, in thousandths of the size: as in the narrowest and the widest fonts that systems use. */
export const letterWidths = { narrow: 400, wide: 600 };

/**
 * Shows the page in a font whose letters are all as wide, so that the fonts of the machine do not decide what fits. It is
 * made here, and given to the page as bytes. Its letters are not drawn.
 */
export async function useEvenFont(page: Page, width: number): Promise<void> {
  await page.evaluate(
    async ({ bytes, family }) => {
      const face = new FontFace(family, Uint8Array.fromBase64(bytes).buffer);
      document.fonts.add(await face.load());
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(`* { font-family: ${family} !important }`);
      document.adoptedStyleSheets = [sheet];
      await document.fonts.ready;
    },
    { bytes: evenFont(width).toString('base64'), family: `even-${width}` },
  );
}

/** A TrueType font: only the first glyph has an outline, a box. */
function evenFont(width: number): Buffer {
  const glyphs = 1 + RANGES.reduce((sum, [first, last]) => sum + last - first + 1, 0);
  const [ascent, descent] = [930, -240];
  const box = [1, 0, 0, 300, 700, 3, 0, ...Array.from({ length: 2 }, () => 0x0101)];
  const glyf = Buffer.concat([words(...box), words(0, 300, 0, -300), words(0, 0, 700, 0)]);
  return fontOf({
    'OS/2': Buffer.concat([
      words(4, width, 400, 5, 0, 650, 600, 0, 75, 650, 600, 0, 350, 50, 300, 0),
      Buffer.alloc(10 + 16),
      Buffer.from('NONE'),
      words(0x40, 0x20, 0x22ff, ascent, descent, 0, ascent, -descent),
      Buffer.alloc(8),
      words(500, 700, 0, 0x20, 2),
    ]),
    cmap: cmap(),
    glyf,
    head: Buffer.concat([
      words(1, 0, 1, 0, 0, 0, 0x5f0f, 0x3cf5, 0b11, EM),
      Buffer.alloc(16),
      words(0, 0, 300, 700, 0, 8, 2, 0, 0),
    ]),
    hhea: words(1, 0, ascent, descent, 0, width, 0, 0, 300, 1, 0, 0, 0, 0, 0, 0, 0, 1),
    // One width for all of them.
    hmtx: Buffer.concat([words(width, 0), Buffer.alloc(2 * (glyphs - 1))]),
    loca: words(0, ...Array.from({ length: glyphs }, () => glyf.length / 2)),
    maxp: words(1, 0, glyphs, 4, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0),
    name: words(0, 0, 6),
    post: Buffer.concat([words(3, 0, 0, 0, -75, 50), Buffer.alloc(20)]),
  });
}

/** Characters to glyphs, in the format 4: one segment for each range, and the one that ends it. */
function cmap(): Buffer {
  let glyph = 1;
  const segments = RANGES.map(([first, last]: readonly [number, number]) => {
    const delta = glyph - first;
    glyph += last - first + 1;
    return { first, last, delta };
  });
  segments.push({ first: 0xffff, last: 0xffff, delta: 1 });
  const search = 2 * 2 ** Math.floor(Math.log2(segments.length));
  const table = words(
    2 * segments.length,
    search,
    Math.log2(search / 2),
    2 * segments.length - search,
    ...segments.map(({ last }) => last),
    0,
    ...segments.map(({ first }) => first),
    ...segments.map(({ delta }) => delta),
    ...segments.map(() => 0),
  );
  return Buffer.concat([words(0, 1, 3, 1, 0, 12, 4, table.length + 6, 0), table]);
}

function fontOf(tables: Readonly<Record<string, Buffer>>): Buffer {
  const entries = Object.entries(tables);
  const search = 16 * 2 ** Math.floor(Math.log2(entries.length));
  const steps = [search, Math.log2(search / 16), 16 * entries.length - search];
  const header = [words(1, 0, entries.length, ...steps)];
  let offset = 12 + 16 * entries.length;
  const bodies = entries.map(([tag, table]) => {
    const padded = Buffer.concat([table, Buffer.alloc(-table.length & 3)]);
    const sum = Array.from({ length: padded.length / 4 }, (_, i) => padded.readUInt32BE(4 * i));
    const entry = Buffer.alloc(16);
    entry.write(tag, 'latin1');
    entry.writeUInt32BE(
      sum.reduce((a, b) => (a + b) >>> 0, 0),
      4,
    );
    entry.writeUInt32BE(offset, 8);
    entry.writeUInt32BE(table.length, 12);
    header.push(entry);
    offset += padded.length;
    return padded;
  });
  return Buffer.concat([...header, ...bodies]);
}

/** Numbers of 16 bits, as all of a font is made of. */
function words(...numbers: number[]): Buffer {
  const bytes = Buffer.alloc(2 * numbers.length);
  for (const [i, number] of numbers.entries()) bytes.writeUInt16BE(number & 0xffff, 2 * i);
  return bytes;
}
