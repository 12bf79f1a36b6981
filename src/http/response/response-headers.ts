/** One year. Subdomains are not included, because they may belong to other services. */
const STRICT_TRANSPORT = 'max-age=31536000';

/**
 * The security headers of every response. The policy suits JSON, which loads and frames nothing; a page
 * sets its own.
 */
const SECURITY_HEADERS = [
  'x-content-type-options',
  'nosniff',
  'content-security-policy',
  "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'referrer-policy',
  'no-referrer',
  'cross-origin-resource-policy',
  'same-origin',
  'cache-control',
  'no-store',
];

/** The headers of one response, in the flat form that node:http writes fastest. */
export class ResponseHeaders {
  readonly flat: string[];

  /** `isSecure`: the request used TLS, to this server or to a trusted proxy. */
  constructor(requestId: string, isSecure: boolean) {
    this.flat = ['x-request-id', requestId, ...SECURITY_HEADERS];
    if (isSecure) this.flat.push('strict-transport-security', STRICT_TRANSPORT);
  }

  add(name: string, value: string): void {
    this.flat.push(name, value);
  }

  has(name: string): boolean {
    return this.#find(name) !== -1;
  }

  get(name: string): string | undefined {
    const index = this.#find(name);
    return index === -1 ? undefined : this.flat[index + 1];
  }

  /** Replaces a header of the same name. A list adds one header per value instead. */
  set(name: string, value: string | string[]): void {
    const lower = name.toLowerCase();
    if (Array.isArray(value)) {
      for (const one of value) this.flat.push(lower, one);
      return;
    }
    const index = this.#find(lower);
    if (index === -1) this.flat.push(lower, value);
    else this.flat[index + 1] = value;
  }

  #find(name: string): number {
    for (let i = 0; i < this.flat.length; i += 2) if (this.flat[i] === name) return i;
    return -1;
  }
}
