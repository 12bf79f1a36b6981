import { parseCookie } from 'cookie';
import type { FastifyRequest } from 'fastify';
import { ApiError, generalErrors } from '../../kernel/declare/errors.ts';
import type { GuardFacts, RequestFacts } from '../../kernel/declare/operation.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { networkOf } from '../../shared/network.ts';
import type { Authenticator } from '../authenticate.ts';
import { isLocal } from '../connections/trusted-proxies.ts';
import { queryText } from './query-string.ts';

const NO_BYTES = Buffer.alloc(0);

interface Parts {
  readonly site: Site;
  readonly authenticator: Authenticator;
}

/** The request facts of an HTTP request. Getters compute each on use, because few are needed. */
export class HttpFacts implements RequestFacts {
  readonly #request: FastifyRequest;
  readonly #parts: Parts;

  constructor(request: FastifyRequest, parts: Parts) {
    this.#request = request;
    this.#parts = parts;
  }

  get requestId(): string {
    return this.#request.id;
  }

  get address(): string {
    return this.#request.origin.address;
  }

  get network(): string {
    return networkOf(this.address);
  }

  requireStillThere(): void {
    if (this.#request.raw.socket.destroyed) throw new ApiError(generalErrors.callerGone);
    this.#parts.authenticator.refuseLockedOut(this.#request.origin);
  }

  get secure(): boolean {
    return this.#request.origin.secure;
  }

  get fromOtherSite(): boolean {
    const { headers } = this.#request.raw;
    const fetchSite = headers['sec-fetch-site'];
    if (fetchSite !== undefined) return fetchSite === 'cross-site';
    const { origin, host } = headers;
    return origin !== undefined && URL.parse(origin)?.host !== host;
  }

  get fromOtherOrigin(): boolean {
    const { 'sec-fetch-site': fetchSite, origin, host } = this.#request.raw.headers;
    if (fetchSite !== undefined && fetchSite !== 'same-origin' && fetchSite !== 'none') return true;
    // A page without a referrer sends the origin null; scripts cannot set Sec-Fetch-Site.
    if (origin === undefined || (origin === 'null' && fetchSite === 'same-origin')) return false;
    const sender = URL.parse(origin)?.host;
    // Some proxies replace the Host header by their internal name for this service.
    return sender !== host && sender !== URL.parse(this.#parts.site.publicUrl)?.host;
  }

  get isSameOrigin(): boolean {
    return this.#request.raw.headers['sec-fetch-site'] === 'same-origin';
  }

  get csrfHeader(): string | undefined {
    // Node joins repeated headers of this name with a comma, so it is never an array.
    return this.#request.raw.headers['x-svc-csrf'] as string | undefined;
  }

  get viewAs(): string | undefined {
    // Node joins repeated headers of this name with a comma, so it is never an array.
    return this.#request.raw.headers['x-svc-view-as'] as string | undefined;
  }

  get userAgent(): string {
    return this.#request.raw.headers['user-agent'] ?? '';
  }

  get referrer(): string {
    return this.#request.raw.headers.referer ?? '';
  }

  get acceptLanguage(): string {
    return this.#request.raw.headers['accept-language'] ?? '';
  }

  get ifMatch(): string | undefined {
    return this.#request.raw.headers['if-match'];
  }

  get isVisit(): boolean {
    const { method, headers } = this.#request.raw;
    const purpose = headers['sec-purpose'] ?? headers['purpose'] ?? headers['x-purpose'];
    return method !== 'HEAD' && !/prefetch|prerender|preview/i.test(String(purpose));
  }

  get headers(): Record<string, string> {
    return Object.fromEntries(
      Object.entries(this.#request.raw.headers).map(([name, value]) => [name, String(value)]),
    );
  }

  get body(): Buffer {
    const { body } = this.#request;
    return Buffer.isBuffer(body) ? body : NO_BYTES;
  }

  get search(): string {
    return queryText(this.#request);
  }

  cookie(name: string): string | undefined {
    const { cookie } = this.#request.raw.headers;
    return cookie === undefined ? undefined : parseCookie(cookie)[name];
  }
}

export function guardFactsOf({ raw, origin }: FastifyRequest): GuardFacts {
  const token = /^bearer +(\S+) *$/i.exec(raw.headers.authorization ?? '')?.[1];
  return { token, isLocal: !origin.isForwarded && isLocal(raw) };
}
