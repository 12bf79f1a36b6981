import type { StoreFailure } from '../extension.ts';

/** How long paying or asking may take in all, however many requests it needs. */
export const TIMEOUT_MS = 20_000;
const ANSWER_BYTES_MAX = 65_536;

/** An exchange that told nothing: its message names no person, no destination and no secret. */
export class NoAnswer extends Error {
  override name = 'NoAnswer';
  readonly code: StoreFailure;

  constructor(message: string, code: StoreFailure = 'unreachable') {
    super(message);
    this.code = code;
  }
}

/** An answer that says nothing about the payment. */
export function answeredOtherwise(status: number): NoAnswer {
  return new NoAnswer(`it answered HTTP ${status}`, statusCodes.get(status));
}

const statusCodes = new Map<number, StoreFailure>([
  [401, 'credentials'],
  [403, 'not_permitted'],
  [429, 'rate_limited'],
]);

/**
 * A `fetch` that follows no redirect, since credentials would travel along, and that has read the
 * answer, which cannot be larger than any honest one, by the time it resolves.
 */
export async function boundedFetch(
  url: Parameters<typeof fetch>[0],
  init: RequestInit,
): Promise<Response> {
  const response = await fetch(url, { ...init, redirect: 'manual' });
  const text = await readBounded(response);
  const { status, headers } = response;
  return new Response(text === '' ? null : text, { status, headers });
}

async function readBounded(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  // Leaving the loop early cancels the rest.
  const chunks: AsyncIterable<Uint8Array> | [] = response.body ?? [];
  for await (const chunk of chunks) {
    bytes += chunk.byteLength;
    if (bytes > ANSWER_BYTES_MAX) throw new NoAnswer('the answer is too large');
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

export interface Call {
  url: string;
  headers: Record<string, string>;
  /** Sent as JSON, or as it is where it is a form. Without one it is a GET. */
  body?: object | URLSearchParams;
  signal: AbortSignal;
}

export interface Answer {
  status: number;
  /** What was answered; undefined where it is no JSON. */
  body: unknown;
}

export async function callJson({ url, headers, body, signal }: Call): Promise<Answer> {
  const json = body !== undefined && !(body instanceof URLSearchParams);
  const response = await boundedFetch(url, {
    signal,
    headers: { accept: 'application/json', ...headers, ...(json && contentTypeJson) },
    ...(body !== undefined && { method: 'POST', body: json ? JSON.stringify(body) : body }),
  });
  const text = await response.text();
  try {
    return { status: response.status, body: JSON.parse(text) };
  } catch {
    return { status: response.status, body: undefined };
  }
}

const contentTypeJson = { 'content-type': 'application/json' };

/** Whether an answer means that the service has looked at the request and will not do it. */
export function isRefusal(status: number): boolean {
  // 408, 409, 425 and 429 speak about this moment, not about the request.
  return status >= 400 && status < 500 && ![408, 409, 425, 429].includes(status);
}

/** The outcome of an exchange, `unknown` where it broke off: what happened there cannot be told. */
export async function outcomeOf<T>(
  service: string,
  exchange: () => Promise<T>,
): Promise<T | { status: 'unknown'; reason: string; code: StoreFailure }> {
  try {
    return await exchange();
  } catch (error) {
    const code = error instanceof NoAnswer ? error.code : 'unreachable';
    return { status: 'unknown', reason: `${service}: ${troubleOf(error)}.`, code };
  }
}

/** In words of our own: the messages of libraries may hold what was sent. */
function troubleOf(error: unknown): string {
  if (error instanceof NoAnswer) return error.message;
  if (!(error instanceof Error)) return 'it failed';
  if (['TimeoutError', 'AbortError'].includes(error.name)) return 'no answer in time';
  return `the exchange failed (${error.name})`;
}

/** A code word of a service, fit to be shown, or nothing. */
export function codeWord(code: unknown): string {
  return typeof code === 'string' && /^\w{1,60}$/.test(code) ? ` (${code})` : '';
}
