/** The first expression that matches names the browser, because most browsers also name the ones they imitate. */
const browsers: readonly [name: string, sign: RegExp][] = [
  ['Edge', /\bEdg(?:e|A|iOS)?\//],
  ['Opera', /\bOP(?:R|T|X)\/|\bOpera\b/],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Vivaldi', /\bVivaldi\//],
  ['DuckDuckGo', /\bDuckDuckGo\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Chrome|Chromium|CriOS)\//],
  ['Safari', /\bSafari\//],
];

const systems: readonly [name: string, sign: RegExp][] = [
  ['iPhone', /\biP(?:hone|od)\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['macOS', /\bMac(?:intosh| OS X)\b/],
  ['Linux', /\bLinux\b/],
];

export interface Device {
  /** Empty if the header does not tell. */
  readonly browser: string;
  readonly system: string;
}

/** The browser and the system that a User-Agent header names, for people to recognise a session by. */
export function deviceOf(userAgent: string): Device {
  return { browser: nameIn(userAgent, browsers), system: nameIn(userAgent, systems) };
}

/** `Firefox on Android`. */
export function deviceInWords({ browser, system }: Device): string {
  if (browser !== '' && system !== '') return `${browser} on ${system}`;
  return browser || system || 'Unknown device';
}

function nameIn(userAgent: string, kinds: readonly [name: string, sign: RegExp][]): string {
  return kinds.find(([, sign]) => sign.test(userAgent))?.[0] ?? '';
}
