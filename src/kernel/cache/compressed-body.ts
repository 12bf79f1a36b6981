import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { CompressedVariants, Encoding } from '../declare/http-response.ts';

const compressors = {
  br: promisify(brotliCompress),
  gzip: promisify(gzip),
};

/** A higher quality takes many times as long, and saves only a few percent on the OpenAPI documents. */
const BROTLI_OPTIONS = { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } };

/**
 * A body that is sent many times. It is compressed once per requested encoding, in the thread pool, so
 * that compression does not block the event loop.
 */
export class CompressedBody implements CompressedVariants {
  readonly #bytes: Uint8Array;
  readonly #variants = new Map<Encoding, Uint8Array | Promise<Uint8Array>>();

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  in(encoding: Encoding): Uint8Array | Promise<Uint8Array> {
    let variant = this.#variants.get(encoding);
    if (variant === undefined) {
      this.#variants.set(encoding, (variant = this.#compress(encoding)));
    }
    return variant;
  }

  async #compress(encoding: Encoding): Promise<Uint8Array> {
    try {
      const compressed =
        encoding === 'br'
          ? await compressors.br(this.#bytes, BROTLI_OPTIONS)
          : await compressors.gzip(this.#bytes);
      this.#variants.set(encoding, compressed);
      return compressed;
    } catch (error) {
      // A failure is not cached, so the next request tries again.
      this.#variants.delete(encoding);
      throw error;
    }
  }
}
