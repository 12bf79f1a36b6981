import { ConnectionError, errorOf, hasCode, TimeoutError, TributaryError } from './errors.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface ClientOptions {
  /** The address of the installation: `https://partners.example`. In a browser, `''` is its own. */
  url: string;
  /** An API key. */
  key?: string;
  /** A login with an application password, instead of a key. */
  login?: string;
  password?: string;
  /** True in a page of the installation itself: calls are made with the session cookie. */
  session?: boolean;
  /** How long a call may take in milliseconds, with its retries; 30,000 by default. */
  timeout?: number;
  /** How often a call is repeated where that is safe; 3 by default. */
  retries?: number;
  /** Used instead of the global `fetch`. */
  fetch?: typeof fetch;
}

export interface CallOptions {
  signal?: AbortSignal | undefined;
  /** How long this call may take in milliseconds, with its retries. */
  timeout?: number | undefined;
  retries?: number | undefined;
  /** A POST with a key that was used before answers what it answered then. Made by the client if absent. */
  idempotencyKey?: string | undefined;
  /** The `ETag` of the version that a change is based on. */
  ifMatch?: string | undefined;
  /** Called with the headers of a successful response, such as its `ETag`. */
  onHeaders?: ((headers: Headers) => void) | undefined;
}

/** A request as the generated methods make it. */
export interface Call {
  method: Method;
  /** From the root of the installation: `/svc/v2/coupons/12`. */
  path: string;
  /** The query of a GET or DELETE, the body of the others. */
  input?: object | undefined;
  options?: CallOptions | undefined;
}

/** Leaves the reading of the body to the caller. */
export const asFile = (response: Response): unknown => response;

/** The first wait before a retry; each further one is twice as long. */
const BACKOFF_MS = 250;
const BACKOFF_MS_MAX = 8000;

export class Transport {
  readonly #options: ClientOptions;
  readonly #base: string;
  readonly #authorization: string | undefined;
  #csrfToken: Promise<string | undefined> | undefined;

  constructor(options: ClientOptions) {
    this.#options = options;
    this.#base = options.url.replace(/\/+$/, '');
    this.#authorization = authorizationOf(options);
  }

  /** The token that a signed-in browser sends with its changes. */
  setCsrfToken(token: string | undefined): void {
    this.#csrfToken = token === undefined ? undefined : Promise.resolve(token);
  }

  /** Sends a call, again where that is safe, and reads its successful response. */
  async send<T>(call: Call, read: (response: Response) => T | Promise<T>): Promise<T> {
    const { options = {}, method } = call;
    const endMs = Date.now() + (options.timeout ?? this.#options.timeout ?? 30_000);
    const retries = options.retries ?? this.#options.retries ?? 3;
    const key =
      method === 'POST' && call.path.startsWith('/svc/')
        ? (options.idempotencyKey ?? randomKey())
        : undefined;
    const mayRepeat = method === 'GET' || method === 'PUT' || key !== undefined;
    for (let attempt = 0, renewed = false; ;) {
      try {
        return await this.#attempt(call, key, endMs - Date.now(), read);
      } catch (error) {
        // Another session began, in another tab perhaps. Nothing has been changed.
        if (this.#options.session && !renewed && hasCode(error, 'svc_api_csrf_required')) {
          renewed = true;
          // A GET that refreshes figures needs the token too, and has not fetched it.
          this.#csrfToken = this.#fetchCsrfToken();
          continue;
        }
        const waitMs = backoffMs(error, attempt);
        attempt += 1;
        const isHopeless = attempt > retries || Date.now() + waitMs >= endMs;
        if (isHopeless || !(changedNothing(error) || (mayRepeat && isPassing(error)))) throw error;
        await sleep(waitMs, options.signal);
      }
    }
  }

  /** Sends a call and reads the JSON of its response. */
  // The caller knows the type, from the contract of the route.
  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters
  json<T>(call: Call): Promise<{ body: T; headers: Headers }> {
    return this.send(call, async (response) => {
      // The types are generated from the contracts that the service checks its responses with.
      const text = await response.text();
      const body = (text === '' ? undefined : JSON.parse(text)) as T;
      return { body, headers: response.headers };
    });
  }

  /** The token of the session, fetched before the first change. */
  #csrfTokenFor({ method, path }: Call): Promise<string | undefined> | undefined {
    // The call that fetches the token must not wait for it, and a sign-in has none yet.
    if (path === '/session' && (method === 'GET' || method === 'POST')) return undefined;
    if (this.#options.session && method !== 'GET') this.#csrfToken ??= this.#fetchCsrfToken();
    return this.#csrfToken;
  }

  async #fetchCsrfToken(): Promise<string | undefined> {
    try {
      const { body } = await this.json<{ csrf_token: string }>({ method: 'GET', path: '/session' });
      return body.csrf_token;
    } catch (error) {
      this.#csrfToken = undefined;
      // Without a session there is no token: the service decides whether the call needs one.
      if (error instanceof TributaryError && error.status === 401) return undefined;
      throw error;
    }
  }

  async #attempt<T>(
    call: Call,
    key: string | undefined,
    timeMs: number,
    read: (response: Response) => T | Promise<T>,
  ): Promise<T> {
    const signal = call.options?.signal;
    signal?.throwIfAborted();
    const controller = new AbortController();
    const stop = () => controller.abort(signal?.reason);
    signal?.addEventListener('abort', stop);
    const late = new TimeoutError(`${call.method} ${call.path} took too long`);
    const timer = setTimeout(() => controller.abort(late), timeMs);
    try {
      const request = await this.#requestOf(call, key);
      const url = this.#base + call.path + queryOf(call);
      const response = await (this.#options.fetch ?? fetch)(url, {
        ...request,
        signal: controller.signal,
      });
      if (!response.ok) throw await errorOf(response);
      call.options?.onHeaders?.(response.headers);
      return await read(response);
    } catch (cause) {
      throw controller.signal.reason === late ? late : asCallError(cause, signal);
    } finally {
      clearTimeout(timer);
      // The body of a file is still to be read.
      if (read !== asFile) signal?.removeEventListener('abort', stop);
    }
  }

  async #requestOf(call: Call, key: string | undefined): Promise<RequestInit> {
    const { method, input } = call;
    const headers: Record<string, string> = { Accept: 'application/json, */*;q=0.5' };
    if (this.#authorization !== undefined) headers['Authorization'] = this.#authorization;
    const csrfToken = await this.#csrfTokenFor(call);
    if (csrfToken !== undefined) headers['X-Svc-CSRF'] = csrfToken;
    if (key !== undefined) headers['Idempotency-Key'] = key;
    if (call.options?.ifMatch !== undefined) headers['If-Match'] = call.options.ifMatch;
    const hasBody = input !== undefined && !hasQuery(method);
    const form = hasBody ? formOf(input) : undefined;
    // The header of a form has its boundary, which `fetch` chooses.
    if (hasBody && !form) headers['Content-Type'] = 'application/json';
    return {
      method,
      headers,
      credentials: this.#options.session ? 'same-origin' : 'omit',
      ...(hasBody && { body: form ?? JSON.stringify(input) }),
    };
  }
}

/** A form with the files of an input and, as JSON, everything else; undefined without files. */
function formOf(input: object): FormData | undefined {
  const form = new FormData();
  const others: Record<string, unknown> = {};
  let hasFiles = false;
  for (const [name, value] of Object.entries(input) as [string, unknown][]) {
    const files = (Array.isArray(value) ? value : [value]).map(fileOf);
    if (files.length === 0 || files.includes(undefined)) {
      others[name] = value;
      continue;
    }
    for (const file of files) form.append(name, file!.content, file!.name);
    hasFiles = true;
  }
  form.append('json', JSON.stringify(others));
  return hasFiles ? form : undefined;
}

function fileOf(value: unknown): { content: Blob; name: string } | undefined {
  if (value instanceof File) return { content: value, name: value.name };
  if (value instanceof Blob) return { content: value, name: 'file' };
  const { content, name } = Object(value) as { content?: unknown; name?: unknown };
  return content instanceof Blob ? { content, name: String(name) } : undefined;
}

function authorizationOf({ key, login, password }: ClientOptions): string | undefined {
  if (key !== undefined) return `Bearer ${key}`;
  if (login === undefined) return undefined;
  const bytes = new TextEncoder().encode(`${login}:${password ?? ''}`);
  return `Basic ${btoa(String.fromCharCode(...bytes))}`;
}

/** Not `randomUUID`, which browsers have on HTTPS pages only. */
function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

const hasQuery = (method: Method) => method === 'GET' || method === 'DELETE';

function queryOf({ method, input }: Call): string {
  if (!hasQuery(method)) return '';
  const given = Object.entries(input ?? {}).filter(([, value]) => value !== undefined);
  const query = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
  return given.length > 0 ? `?${query}` : '';
}

/** The service was busy or not writable and says so itself: repeating is safe for every method. */
function changedNothing(error: unknown): boolean {
  if (!(error instanceof TributaryError) || error.code.startsWith('http_')) return false;
  return error.status === 429 || error.status === 503;
}

/** Whether the same call may succeed later. */
function isPassing(error: unknown): boolean {
  if (error instanceof ConnectionError) return true;
  if (!(error instanceof TributaryError)) return false;
  return error.status === 429 || (error.status >= 500 && error.status !== 501);
}

/** The time that the service asks for, else a random time that grows with each attempt. */
function backoffMs(error: unknown, attempt: number): number {
  const asked = error instanceof TributaryError ? (error.retryAfter ?? 0) * 1000 : 0;
  const most = Math.min(BACKOFF_MS_MAX, BACKOFF_MS * 2 ** attempt);
  return asked + most * (0.5 + Math.random() / 2);
}

/** Errors of the client and reasons of an abort stay as they are. */
function asCallError(cause: unknown, signal: AbortSignal | undefined): unknown {
  if (signal?.aborted) return signal.reason;
  const isOwn = [TributaryError, ConnectionError, TimeoutError].some((own) => cause instanceof own);
  if (isOwn) return cause;
  return new ConnectionError('No usable response from the service', { cause });
}

/** Waits, or throws the reason of the signal when it is aborted. */
export function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const stop = () => {
      clearTimeout(timer);
      // The reason of an abort may be any value, as everywhere.
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal?.addEventListener('abort', stop, { once: true });
  });
}
