/** What a logo may consist of. Everything else is left out. */

const NUMBER = '[-+]?(?:\\d+\\.?\\d*|\\.\\d+)(?:[eE][-+]?\\d{1,3})?';
const LENGTH = new RegExp(`^${NUMBER}(?:px|pt|mm|cm|in|em|ex|%)?$`);
/** Longer digits would let the pattern try too many ways to match. */
const LENGTH_CHARACTERS_MAX = 40;
const NUMBERS = /^[\d\s.,+\-eE%]*$/;
const PATH = /^[\d\s.,+\-eEMmZzLlHhVvCcSsQqTtAa]*$/;
const WORDS = /^[\w\s.,%'-]{0,200}$/;
const TRANSFORM = /^(?:(?:matrix|translate|scale|rotate|skewX|skewY)\s*\([\d\s.,+\-eE]*\)[\s,]*)*$/;
const COLOR = /^(?:#[\da-fA-F]{3,8}|[a-zA-Z]{1,30}|(?:rgb|rgba|hsl|hsla)\([\d\s.,%+/-]*\))$/;
/** A reference within the file, as in `fill="url(#a)"`. */
const LOCAL_URL = /^url\(\s*(['"]?)#([\w.:-]+)\1\s*\)$/;
export const LOCAL_HREF = /^#([\w.:-]+)$/;
export const NAME = /^[A-Za-z_][\w.:-]{0,100}$/;

const SHAPES = ['path', 'rect', 'circle', 'ellipse', 'line', 'polyline', 'polygon'];
const TEXTS = ['text', 'tspan', 'title', 'desc'];
const PARTS = ['defs', 'linearGradient', 'radialGradient', 'stop', 'clipPath', 'mask', 'use'];

export const elements: ReadonlySet<string> = new Set(['svg', 'g', ...SHAPES, ...TEXTS, ...PARTS]);
/** Elements whose text is shown or read aloud. */
export const withText: ReadonlySet<string> = new Set(TEXTS);
/** Only these refer to others by an address. */
export const withHref: ReadonlySet<string> = new Set(['use', 'linearGradient', 'radialGradient']);

/** Attributes that a style sheet may set too. */
const presentation: Readonly<Record<string, RegExp>> = {
  ...rule(COLOR, 'color fill stroke stop-color'),
  ...rule(
    LENGTH,
    'opacity fill-opacity stroke-opacity stop-opacity stroke-width stroke-miterlimit',
  ),
  ...rule(LENGTH, 'stroke-dashoffset font-size letter-spacing word-spacing'),
  ...rule(WORDS, 'fill-rule clip-rule stroke-linecap stroke-linejoin stroke-dasharray font-family'),
  ...rule(WORDS, 'font-weight font-style text-anchor dominant-baseline display visibility'),
  ...rule(LOCAL_URL, 'clip-path mask'),
};

const geometry: Readonly<Record<string, RegExp>> = {
  ...rule(LENGTH, 'x y x1 y1 x2 y2 cx cy r rx ry fx fy fr dx dy width height offset'),
  ...rule(NUMBERS, 'points viewBox'),
  ...rule(PATH, 'd'),
  ...rule(TRANSFORM, 'transform gradientTransform'),
  ...rule(WORDS, 'gradientUnits spreadMethod clipPathUnits maskUnits maskContentUnits version'),
  ...rule(WORDS, 'preserveAspectRatio'),
};

function rule(pattern: RegExp, names: string): Record<string, RegExp> {
  return Object.fromEntries(names.split(' ').map((name) => [name, pattern]));
}

/** Colours may also be a gradient of the same file. */
const PAINTS = new Set(['fill', 'stroke']);

/** The value to write, or undefined if the attribute is not allowed to have it. */
export function allowedValue(name: string, value: string, fromStyle = false): string | undefined {
  const pattern = presentation[name] ?? (fromStyle ? undefined : geometry[name]);
  if (!pattern) return undefined;
  const text = value.trim();
  const reference = LOCAL_URL.exec(text);
  if (reference) {
    const mayRefer = pattern === LOCAL_URL || PAINTS.has(name);
    return mayRefer ? `url(#${reference[2]})` : undefined;
  }
  if (pattern === LENGTH && text.length > LENGTH_CHARACTERS_MAX) return undefined;
  return pattern.test(text) ? text : undefined;
}
