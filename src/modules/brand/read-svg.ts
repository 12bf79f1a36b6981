import { SaxesParser, type SaxesTagNS } from 'saxes';
import { ImageError } from './image-error.ts';

const SVG = 'http://www.w3.org/2000/svg';
const XLINK = 'http://www.w3.org/1999/xlink';
const ELEMENTS_MAX = 5_000;
const DEPTH_MAX = 40;
const SIDE_MAX = 10_000;

/**
 * Checks an SVG file and returns its size in pixels. The file is served as it is: decision 32 says why that is safe.
 * What is not well-formed is refused, because browsers would not show it, and so is what could become a billion
 * characters or shapes in a browser: a DOCTYPE, which can define entities, and copies of copies.
 */
export function readSvg(text: string): { width: number; height: number } {
  const parser = new SaxesParser({ xmlns: true, fragment: false });
  const copies = new Copies();
  let root: SaxesTagNS | undefined;
  let elements = 0;
  parser.on('error', (error) => {
    throw new ImageError(`is not well-formed XML: ${error.message}`);
  });
  parser.on('doctype', () => {
    throw new ImageError('has a DOCTYPE, which a logo does not need: remove it');
  });
  parser.on('opentag', (tag) => {
    root ??= tag;
    elements += 1;
    if (elements > ELEMENTS_MAX) throw new ImageError(`has more than ${ELEMENTS_MAX} elements`);
    copies.open(tag);
  });
  parser.on('closetag', () => copies.close());
  parser.write(text).close();
  if (root?.local !== 'svg' || root.uri !== SVG) {
    throw new ImageError(`has no element svg of ${SVG} at its root`);
  }
  copies.check();
  return sizeOf(root);
}

/** What `use` elements copy, and what contains such elements. */
class Copies {
  readonly #openIds: (string | undefined)[] = [];
  readonly #copied = new Set<string>();
  readonly #withCopies = new Set<string>();

  open({ local, attributes }: SaxesTagNS): void {
    if (this.#openIds.length >= DEPTH_MAX) {
      throw new ImageError(`is nested deeper than ${DEPTH_MAX} levels`);
    }
    this.#openIds.push(attributes['id']?.value);
    if (local !== 'use') return;
    for (const id of this.#openIds) if (id !== undefined) this.#withCopies.add(id);
    for (const { local: name, prefix, uri, value } of Object.values(attributes)) {
      if (name === 'href' && (prefix === '' || uri === XLINK)) this.#copied.add(value.slice(1));
    }
  }

  close(): void {
    this.#openIds.pop();
  }

  check(): void {
    if (!this.#copied.isDisjointFrom(this.#withCopies)) {
      throw new ImageError('copies a part that contains copies');
    }
  }
}

/** Width and height if they are lengths, else those of the view box. */
function sizeOf({ attributes }: SaxesTagNS): { width: number; height: number } {
  const text = (name: string) => (attributes[name]?.value ?? '').trim();
  const box = text('viewBox')
    .split(/[\s,]+/)
    .map(Number);
  const side = (name: string, ofBox: number | undefined) => {
    const given = /^([\d.]{1,12})(?:px)?$/.exec(text(name))?.[1];
    return Number(given ?? (box.length === 4 ? ofBox : undefined));
  };
  const size = { width: side('width', box[2]), height: side('height', box[3]) };
  const isSide = (value: number) => value > 0 && value <= SIDE_MAX;
  if (!isSide(size.width) || !isSide(size.height)) {
    throw new ImageError('has neither a viewBox nor a width and a height in pixels');
  }
  return size;
}
