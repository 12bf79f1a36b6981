import type { GuardedResponse } from '../../../shared/guarded-exchange.ts';

const BODY_MAX = 1_000;
const HEADER_MAX = 200;

/** Headers that help to find the cause of an error; all others, such as cookies, are dropped. */
const HEADERS = [
  'content-type',
  'content-length',
  'date',
  'location',
  'retry-after',
  'server',
  'x-request-id',
];

/** An answer as it is stored. */
export interface StoredAnswer {
  /** A JSON object. */
  readonly headers: string;
  readonly body: string;
}

export function storedAnswer({ headers, text }: GuardedResponse): StoredAnswer {
  const kept = HEADERS.flatMap((name) => {
    const value = headers[name]?.toString();
    return value === undefined ? [] : [[name, storable(value, HEADER_MAX)] as const];
  });
  return { headers: JSON.stringify(Object.fromEntries(kept)), body: storable(text, BODY_MAX) };
}

/** The beginning of a text, without what a database cannot store. */
function storable(text: string, max: number): string {
  return text.slice(0, max).replaceAll('\0', '\uFFFD').toWellFormed();
}
