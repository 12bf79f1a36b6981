import { allowedValue } from './svg-rules.ts';
import type { SvgNode } from './svg-tree.ts';

type Declarations = readonly [name: string, value: string][];

/** The rules of a file's style sheets that drawing programs write: `.a`, `#b` and `path`, nothing more. */
export class SvgStyles {
  readonly #rules = new Map<string, Declarations>();

  constructor(root: SvgNode) {
    for (const sheet of sheetsOf(root)) this.#read(sheet);
  }

  /** What the style sheets and the own style of an element say, as attributes. */
  of({ name, attributes }: SvgNode): Map<string, string> {
    const classes = (attributes.get('class') ?? '').split(/\s+/).filter(Boolean);
    const selectors = [name, ...classes.map((one) => `.${one}`), `#${attributes.get('id')}`];
    const declared = [
      ...selectors.flatMap((selector) => this.#rules.get(selector) ?? []),
      ...declarationsOf(attributes.get('style') ?? ''),
    ];
    return new Map(declared);
  }

  #read(sheet: string): void {
    for (const block of withoutComments(sheet).split('}')) {
      const [selectors, body, ...nested] = block.split('{');
      // At-rules contain blocks of their own.
      if (body === undefined || nested.length > 0 || selectors!.includes('@')) continue;
      const declarations = declarationsOf(body);
      for (const selector of selectors!.split(',').map((one) => one.trim())) {
        if (!/^[.#]?[A-Za-z_][\w-]*$/.test(selector)) continue;
        this.#rules.set(selector, [...(this.#rules.get(selector) ?? []), ...declarations]);
      }
    }
  }
}

function withoutComments(sheet: string): string {
  const [first, ...rest] = sheet.split('/*');
  const afterEach = rest.map((part) => part.split('*/').slice(1).join('*/'));
  return [first, ...afterEach].join(' ');
}

function sheetsOf(node: SvgNode): string[] {
  return node.children.flatMap((child) => {
    if (typeof child === 'string') return [];
    if (child.name !== 'style') return sheetsOf(child);
    return [child.children.filter((part) => typeof part === 'string').join('')];
  });
}

function declarationsOf(text: string): Declarations {
  return text.split(';').flatMap((declaration): [string, string][] => {
    const colon = declaration.indexOf(':');
    const name = declaration.slice(0, Math.max(0, colon)).trim().toLowerCase();
    const value = allowedValue(name, declaration.slice(colon + 1), true);
    return value === undefined ? [] : [[name, value]];
  });
}
