import type { StoreFailure } from '../extension.ts';

/** The total time for paying or asking, for any number of requests. */
export const TIMEOUT_MS = 20_000;
const ANSWER_BYTES_MAX = 65_536;

/**
 * A request that gave no usable answer. Its message is shown to administrators: it contains no personal data, no
 * destination and no secret.
 */
export class NoAnswer extends Error {
  override name = 'NoAnswer';
  readonly code: StoreFailure;

  constructor(message: string, code: StoreFailure = 'unreachable') {
    super(message);
    this.code = code;
  }
}

/** For a response that says nothing about the payment. */
export function unexpectedStatus(status: number): NoAnswer {
  return new NoAnswer(`it answered HTTP ${status}`, statusCodes.get(status));
}

const statusCodes = new Map<number, StoreFailure>([
  [401, 'credentials'],
  [403, 'not_permitted'],
  [429, 'rate_limited'],
]);

/**
 * Like `fetch`, but follows no redirect, which would send the credentials along, and resolves after the complete body,
 * limited to ANSWER_BYTES_MAX, was read.
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
  // Leaving the loop early cancels the request.
  const chunks: AsyncIterable<Uint8Array> | [] = response.body ?? [];
  for await (const chunk of chunks) {
    bytes += chunk.byteLength;
    if (bytes > ANSWER_BYTES_MAX) throw new NoAnswer('the answer is too large');
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

export interface GatewayRequest {
  url: string;
  headers: Record<string, string>;
  /** Sent as JSON, or as a form if it is URLSearchParams. Without a body the request is a GET. */
  body?: object | URLSearchParams;
  signal: AbortSignal;
}

export interface GatewayResponse {
  status: number;
  /** The parsed body; undefined if it is not JSON. */
  body: unknown;
}

export async function callJson({
  url,
  headers,
  body,
  signal,
}: GatewayRequest): Promise<GatewayResponse> {
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

/** Whether the service has processed the request and refused it for good. */
export function isRefusal(status: number): boolean {
  // 408, 409, 425 and 429 may pass when the request is repeated.
  return status >= 400 && status < 500 && ![408, 409, 425, 429].includes(status);
}

/** The outcome of a call; `unknown` if it failed, because the service may have carried it out. */
export async function outcomeOf<T>(
  service: string,
  call: () => Promise<T>,
): Promise<T | { status: 'unknown'; reason: string; code: StoreFailure }> {
  try {
    return await call();
  } catch (error) {
    const code = error instanceof NoAnswer ? error.code : 'unreachable';
    return { status: 'unknown', reason: `${service}: ${problemOf(error)}.`, code };
  }
}

/** Own texts, because the messages of libraries may contain what was sent. */
function problemOf(error: unknown): string {
  if (error instanceof NoAnswer) return error.message;
  if (!(error instanceof Error)) return 'it failed';
  if (['TimeoutError', 'AbortError'].includes(error.name)) return 'no answer in time';
  return `the request failed (${error.name})`;
}

/** A service's error code in parentheses if it is safe to show, otherwise nothing. */
export function shownCode(code: unknown): string {
  return typeof code === 'string' && /^\w{1,60}$/.test(code) ? ` (${code})` : '';
}
