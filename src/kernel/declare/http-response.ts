/** In the order of preference. */
export const encodings = ['br', 'gzip'] as const;
export type Encoding = (typeof encodings)[number];

/** A body in every encoding that clients accept. */
export interface CompressedVariants {
  in(encoding: Encoding): Uint8Array | Promise<Uint8Array>;
}

/** What is sent byte for byte. The pieces of an iterable are sent as fast as the client reads them. */
export type EncodedBody = string | Uint8Array | AsyncIterable<string>;

export interface HttpResponseOptions {
  readonly status?: number | undefined;
  readonly headers?: Record<string, string | string[]>;
  /** The same body for clients that accept it compressed. */
  readonly compressed?: CompressedVariants | undefined;
}

/**
 * A response that is more than a body: a status or headers of its own, or a body that is no JSON value.
 * `T` is what the client reads, the static type of the operation's `response` schema.
 */
export class HttpResponse<T = unknown> {
  /** Exists for the compiler only: the body of a serialised response does not show its type. */
  declare readonly content: T;
  readonly body: T | EncodedBody;
  readonly status: number | undefined;
  readonly headers: Record<string, string | string[]>;
  readonly compressed: CompressedVariants | undefined;

  /** A string is sent as it is, any other value as JSON. */
  constructor(body: T, options?: HttpResponseOptions);
  constructor(body: T | EncodedBody, { status, headers, compressed }: HttpResponseOptions = {}) {
    this.body = body;
    this.status = status;
    this.headers = headers ?? {};
    this.compressed = compressed;
  }

  /** A body that is serialised already: JSON text, CSV, bytes, or text that is sent in pieces. */
  static encoded<T>(body: EncodedBody, options?: HttpResponseOptions): HttpResponse<T> {
    return new HttpResponse<unknown>(body, options) as HttpResponse<T>;
  }
}
