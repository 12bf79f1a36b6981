/** The same maximum as for a form. The time to parse an object grows faster than its number of fields. */
const FIELDS_MAX = 2_000;
/** Shorter text is always parsed quickly. */
const LENGTH_CHECKED = 16 * 1024;

const QUOTE = 34;
const COMMA = 44;
const COLON = 58;
const OPEN_BRACKET = 91;
const BACKSLASH = 92;
const CLOSE_BRACKET = 93;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;
const SPACE = 32;

export interface JsonLimits {
  readonly depth: number;
  /** Lists, objects, texts, numbers and so on; and as many escapes in texts. */
  readonly values: number;
}

/**
 * The reason not to parse a long text as JSON; it completes the sentence "The JSON body …". 80,000 fields
 * in one object, many small values, or deep nesting, would block the event loop ten times as long as other bodies of
 * that length. The rest of the text may still be invalid JSON.
 */
export function costOf(json: string, { depth, values }: JsonLimits): string | undefined {
  if (json.length < LENGTH_CHECKED) return undefined;
  if (hasMoreEscapes(json, values)) return `has more than ${values} escapes.`;
  /** The first value of a list or an object follows a bracket, every other value a comma. */
  let count = 0;
  /** The number of fields so far of each open object; zero for arrays. */
  const fields: number[] = [];
  for (let i = 0; i < json.length; i++) {
    const code = json.charCodeAt(i);
    if (code === QUOTE) {
      i = endOfString(json, i);
      if (i === -1) return undefined;
    } else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      if (fields.push(0) > depth + 1) return `is nested deeper than ${depth} levels.`;
      count += 1;
    } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) {
      fields.pop();
    } else if (code === COMMA) {
      count += 1;
    } else if (code === COLON && (fields[fields.length - 1]! += 1) > FIELDS_MAX) {
      return `has an object with more than ${FIELDS_MAX} fields.`;
    }
    if (count > values) return `has more than ${values} values.`;
  }
  return undefined;
}

function hasMoreEscapes(json: string, most: number): boolean {
  let at = -1;
  for (let left = most; left >= 0; left--) {
    at = json.indexOf('\\', at + 1);
    if (at === -1) return false;
    // The character behind it may be a backslash too.
    at += 1;
  }
  return true;
}

/** Counts the field names in valid JSON: strings that are followed by a colon. */
export function countWrittenNames(json: string): number {
  let names = 0;
  for (let start = json.indexOf('"'); start !== -1;) {
    let next = endOfString(json, start) + 1;
    while (json.charCodeAt(next) <= SPACE) next += 1;
    if (json.charCodeAt(next) === COLON) names += 1;
    start = json.indexOf('"', next);
  }
  return names;
}

/** The index of the quote that ends a string; -1 if there is none. */
function endOfString(json: string, start: number): number {
  let end = json.indexOf('"', start + 1);
  while (end !== -1 && isEscaped(json, end)) end = json.indexOf('"', end + 1);
  return end;
}

function isEscaped(json: string, at: number): boolean {
  let backslashes = 0;
  while (json.charCodeAt(at - 1 - backslashes) === BACKSLASH) backslashes += 1;
  return backslashes % 2 === 1;
}
