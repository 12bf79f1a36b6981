import { SaxesParser } from 'saxes';

export interface SvgNode {
  readonly name: string;
  /** In the namespace of SVG. */
  readonly isSvg: boolean;
  /** Without those of other namespaces; `xlink:href` is `href`. */
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: (SvgNode | string)[];
}

const SVG = 'http://www.w3.org/2000/svg';
const XLINK = 'http://www.w3.org/1999/xlink';
const NODES_MAX = 5_000;
const DEPTH_MAX = 40;

/** Why a file is no logo; completes the sentence "the file …". */
export class SvgFault extends Error {
  override name = 'SvgFault';
}

/**
 * Parses strictly: what is not well-formed is refused, and so is a DOCTYPE, which could define entities.
 * Entities other than the five of XML are not well-formed without one.
 */
export function parseSvg(text: string): SvgNode {
  const parser = new SaxesParser({ xmlns: true, fragment: false });
  const open: SvgNode[] = [];
  let root: SvgNode | undefined;
  let nodes = 0;
  const addText = (value: string) => void open.at(-1)?.children.push(value);
  parser.on('error', (error) => {
    throw new SvgFault(`is not well-formed XML: ${error.message}`);
  });
  parser.on('doctype', () => {
    throw new SvgFault('has a DOCTYPE, which a logo does not need: remove it');
  });
  parser.on('opentag', ({ local, uri, attributes }) => {
    nodes += 1;
    if (nodes > NODES_MAX) throw new SvgFault(`has more than ${NODES_MAX} elements`);
    if (open.length >= DEPTH_MAX) throw new SvgFault(`is nested deeper than ${DEPTH_MAX} levels`);
    const own = Object.values(attributes)
      .filter((one) => one.prefix === '' || (one.uri === XLINK && one.local === 'href'))
      .map((one): [string, string] => [one.local, one.value]);
    const node = { name: local, isSvg: uri === SVG, attributes: new Map(own), children: [] };
    open.at(-1)?.children.push(node);
    root ??= node;
    open.push(node);
  });
  parser.on('closetag', () => void open.pop());
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.write(text).close();
  if (!root || root.name !== 'svg' || !root.isSvg) {
    throw new SvgFault(`has no element svg of ${SVG} at its root`);
  }
  return root;
}
