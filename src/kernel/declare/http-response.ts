/** The supported encodings, the preferred one first. */
export const encodings = ['br', 'gzip'] as const;
export type Encoding = (typeof encodings)[number];

/** A body in every encoding that clients accept. */
export interface CompressedVariants {
  in(encoding: Encoding): Uint8Array | Promise<Uint8Array>;
}

/** A body that is sent unchanged. An iterable is streamed at the speed at which the client reads. */
export type EncodedBody = string | Uint8Array | AsyncIterable<string | Uint8Array>;

export interface HttpResponseOptions {
  readonly status?: number | undefined;
  readonly headers?: Record<string, string | string[]>;
  /** The same body, compressed. */
  readonly compressed?: CompressedVariants | undefined;
}

/**
 * A response with its own status or headers, or with a body that is not a JSON value. `T` is the static
 * type of the operation's `response` schema.
 */
export class HttpResponse<T = unknown> {
  /** Never set. It carries `T` for the compiler, because a serialised body does not. */
  declare readonly content: T;
  readonly body: T | EncodedBody;
  readonly status: number | undefined;
  readonly headers: Record<string, string | string[]>;
  readonly compressed: CompressedVariants | undefined;

  /** A string is sent unchanged, any other value as JSON. */
  constructor(body: T, options?: HttpResponseOptions);
  constructor(body: T | EncodedBody, { status, headers, compressed }: HttpResponseOptions = {}) {
    this.body = body;
    this.status = status;
    this.headers = headers ?? {};
    this.compressed = compressed;
  }

  /** A response whose body is serialised already: JSON text, CSV, bytes, or streamed text. */
  static encoded<T>(body: EncodedBody, options?: HttpResponseOptions): HttpResponse<T> {
    // The compiler cannot see what serialised content holds; the caller states it as `T`.
    return new HttpResponse<unknown>(body, options) as HttpResponse<T>;
  }
}
