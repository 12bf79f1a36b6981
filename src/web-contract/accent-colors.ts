/** The colours that a site's accent colour becomes in one theme, as `#rrggbb`. */
export interface ThemeAccent {
  /** Of links and buttons: the asked colour, or the nearest one that can be read. */
  readonly accent: string;
  readonly strong: string;
  readonly soft: string;
  /** Of text on a button. */
  readonly onAccent: string;
  /** The lowest contrast that the accent has in this theme, as text and below text. */
  readonly ratio: number;
  /** The same of the requested colour. */
  readonly askedRatio: number;
}

export interface AccentColors {
  readonly light: ThemeAccent;
  readonly dark: ThemeAccent;
}

/** WCAG 2.2, 1.4.3: the least contrast of text. */
export const CONTRAST_MIN = 4.5;

/** The backgrounds of `web/ui/tokens.css` with the least contrast: `--sunken` and `--page`. */
const backgrounds = { light: ['#edf0f2', '#ffffff'], dark: ['#20272c', '#171d21'] } as const;

/** Colours with enough contrast in both themes, as near to the asked colour as possible. */
export function accentColors(asked: string): AccentColors {
  return { light: inTheme(asked, 'light'), dark: inTheme(asked, 'dark') };
}

/** How often the lightness is changed at most, by `STEP` each time. */
const STEPS_MAX = 200;
const STEP = 0.005;

function inTheme(asked: string, theme: 'light' | 'dark'): ThemeAccent {
  const isLight = theme === 'light';
  const { c, h, ...start } = toOklch(asked);
  const onAccent = isLight ? '#ffffff' : toHex({ l: 0.2, c: Math.min(c, 0.04), h });
  const soft = toHex(
    isLight ? { l: 0.955, c: Math.min(c, 0.025), h } : { l: 0.3, c: Math.min(c, 0.045), h },
  );
  const ratioOf = (color: string) =>
    Math.min(...[...backgrounds[theme], soft, onAccent].map((other) => contrast(color, other)));
  let { l } = start;
  let accent = asked;
  for (let i = 0; i < STEPS_MAX && ratioOf(accent) < CONTRAST_MIN; i++) {
    l = Math.min(1, Math.max(0, l + (isLight ? -STEP : STEP)));
    accent = toHex({ l, c, h });
  }
  const strong = toHex({ l: Math.min(1, Math.max(0, l + (isLight ? -0.07 : 0.07))), c, h });
  return { accent, strong, soft, onAccent, ratio: ratioOf(accent), askedRatio: ratioOf(asked) };
}

/** The contrast of two colours by WCAG, from 1 to 21, rounded down to two decimals. */
export function contrast(a: string, b: string): number {
  const [light, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return Math.floor(((light! + 0.05) / (dark! + 0.05)) * 100) / 100;
}

function luminance(hex: string): number {
  const [r, g, b] = toLinear(hex);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

type Triple = readonly [number, number, number];

function toLinear(hex: string): Triple {
  const part = (at: number) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return [part(1), part(3), part(5)];
}

interface Oklch {
  readonly l: number;
  readonly c: number;
  /** Radians. */
  readonly h: number;
}

/** The matrices are those of CSS Color 4, section 9.2. */
function toOklch(hex: string): Oklch {
  const [r, g, b] = toLinear(hex);
  const x = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const y = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const z = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  const l = 0.2104542553 * x + 0.793617785 * y - 0.0040720468 * z;
  const a = 1.9779984951 * x - 2.428592205 * y + 0.4505937099 * z;
  const bb = 0.0259040371 * x + 0.7827717662 * y - 0.808675766 * z;
  return { l, c: Math.hypot(a, bb), h: Math.atan2(bb, a) };
}

/** Lowers the chroma until a screen can show the colour. */
function toHex({ l, c, h }: Oklch): string {
  for (let chroma = c; ; chroma -= 0.005) {
    const linear = fromOklch({ l, c: Math.max(0, chroma), h });
    if (chroma <= 0 || linear.every((value) => value > -0.0005 && value < 1.0005)) {
      return `#${linear.map(toPart).join('')}`;
    }
  }
}

function fromOklch({ l, c, h }: Oklch): Triple {
  const [a, b] = [c * Math.cos(h), c * Math.sin(h)];
  const x = (l + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const y = (l - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const z = (l - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * x - 3.3077115913 * y + 0.2309699292 * z,
    -1.2684380046 * x + 2.6097574011 * y - 0.3413193965 * z,
    -0.0041960863 * x - 0.7034186147 * y + 1.707614701 * z,
  ];
}

function toPart(value: number): string {
  const bounded = Math.min(1, Math.max(0, value));
  const encoded = bounded <= 0.0031308 ? bounded * 12.92 : 1.055 * bounded ** (1 / 2.4) - 0.055;
  return Math.round(encoded * 255)
    .toString(16)
    .padStart(2, '0');
}
