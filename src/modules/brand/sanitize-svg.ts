import { escapeHtml } from '../../shared/html.ts';
import { allowedValue, elements, LOCAL_HREF, NAME, withHref, withText } from './svg-rules.ts';
import { SvgStyles } from './svg-styles.ts';
import { parseSvg, SvgFault, type SvgNode } from './svg-tree.ts';

export interface SafeSvg {
  readonly text: string;
  readonly width: number;
  readonly height: number;
  /** The names of elements and attributes that were left out. */
  readonly removed: readonly string[];
}

const USES_MAX = 100;

/**
 * Writes a new SVG file from what is allowed in the given one. Nothing of the input is copied without a rule that allows
 * its name and its value, so that a trick that is not known yet is left out too.
 */
export function sanitizeSvg(text: string): SafeSvg {
  const root = parseSvg(text);
  const writer = new Writer(root);
  const { width, height, viewBox } = sizeOf(root);
  const attributes = `width="${width}" height="${height}" viewBox="${viewBox}"`;
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" ${attributes}${writer.attributesOf(root, SIZE)}>` +
    `${writer.childrenOf(root)}</svg>`;
  if (!/<(?:path|rect|circle|ellipse|line|polyline|polygon|text|use)\b/.test(svg)) {
    throw new SvgFault('draws nothing that a logo may draw');
  }
  return { text: svg, width, height, removed: [...writer.removed].sort() };
}

const SIZE = new Set(['width', 'height', 'viewBox', 'x', 'y']);
const NOTHING: ReadonlySet<string> = new Set();

class Writer {
  /** Bounded by the number of elements and the length of the file. */
  readonly removed = new Set<string>();
  readonly #styles: SvgStyles;
  readonly #byId: ReadonlyMap<string, SvgNode>;
  #uses = 0;

  constructor(root: SvgNode) {
    this.#styles = new SvgStyles(root);
    this.#byId = new Map(everyNode(root).map((node) => [node.attributes.get('id') ?? '', node]));
  }

  childrenOf({ name, children }: SvgNode): string {
    const written = children.map((child) => {
      if (typeof child !== 'string') return this.#write(child);
      return withText.has(name) ? escapeHtml(child) : '';
    });
    return written.join('');
  }

  #write(node: SvgNode): string {
    // A link is left out, what it surrounds is not.
    if (node.isSvg && node.name === 'a') return this.childrenOf(node);
    if (!node.isSvg || !elements.has(node.name) || !this.#mayUse(node)) {
      // The style sheets are written as attributes instead.
      if (node.isSvg && node.name !== 'style' && node.name !== 'metadata')
        this.#leaveOut(node.name);
      return '';
    }
    // Names come from the lists of what is allowed.
    const { name } = node;
    return `<${name}${this.attributesOf(node, NOTHING)}>${this.childrenOf(node)}</${name}>`;
  }

  attributesOf(node: SvgNode, except: ReadonlySet<string>): string {
    const written = new Map<string, string>();
    for (const [name, value] of node.attributes) {
      if (name === 'class' || name === 'style' || name === 'xmlns' || except.has(name)) continue;
      const allowed = allowedAttribute(node, name, value);
      if (allowed === undefined) this.#leaveOut(name);
      else written.set(name, allowed);
    }
    for (const [name, value] of this.#styles.of(node)) written.set(name, value);
    return [...written].map(([name, value]) => ` ${name}="${escapeHtml(value)}"`).join('');
  }

  /** A copy of something that contains copies could be a billion shapes. */
  #mayUse({ name, attributes }: SvgNode): boolean {
    if (name !== 'use') return true;
    this.#uses += 1;
    const target = this.#byId.get(attributes.get('href')?.slice(1) ?? '');
    if (!target || this.#uses > USES_MAX) return false;
    return !everyNode(target).some((node) => node.name === 'use');
  }

  #leaveOut(name: string): void {
    if (this.removed.size < 50) this.removed.add(name.slice(0, 50));
  }
}

function allowedAttribute({ name: element }: SvgNode, name: string, value: string) {
  if (name === 'id') return NAME.test(value) ? value : undefined;
  if (name === 'href') {
    return withHref.has(element) && LOCAL_HREF.test(value) ? value : undefined;
  }
  return allowedValue(name, value);
}

function everyNode(node: SvgNode): SvgNode[] {
  const below = node.children.filter((child) => typeof child !== 'string');
  return [node, ...below.flatMap(everyNode)];
}

const SIDE_MAX = 10_000;

/** The size in pixels: width and height if they are lengths, else those of the view box. */
function sizeOf({ attributes }: SvgNode): { width: number; height: number; viewBox: string } {
  const box = (attributes.get('viewBox') ?? '')
    .trim()
    .split(/[\s,]+/)
    .map(Number);
  const hasBox = box.length === 4 && box.every(Number.isFinite);
  const side = (name: string, ofBox: number | undefined) => {
    const given = /^([\d.]{1,12})(?:px)?$/.exec((attributes.get(name) ?? '').trim())?.[1];
    return given === undefined ? (ofBox ?? Number.NaN) : Number(given);
  };
  const width = side('width', hasBox ? box[2] : undefined);
  const height = side('height', hasBox ? box[3] : undefined);
  const isSize = (value: number) => value > 0 && value <= SIDE_MAX;
  if (!isSize(width) || !isSize(height)) {
    throw new SvgFault('has neither a viewBox nor a width and a height in pixels');
  }
  return { width, height, viewBox: hasBox ? box.join(' ') : `0 0 ${width} ${height}` };
}
