import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { CompressedVariants, Encoding } from '../declare/http-response.ts';

const compressors = {
  br: promisify(brotliCompress),
  gzip: promisify(gzip),
};

/** Higher ones take many times as long and save a few percent of a document. */
const BROTLI_OPTIONS = { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } };

/**
 * A body that is sent many times, compressed once per requested encoding, in threads, so that no other
 * request waits.
 */
export class CompressedBody implements CompressedVariants {
  readonly #bytes: Uint8Array;
  readonly #made = new Map<Encoding, Uint8Array | Promise<Uint8Array>>();

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  in(encoding: Encoding): Uint8Array | Promise<Uint8Array> {
    let made = this.#made.get(encoding);
    if (made === undefined) this.#made.set(encoding, (made = this.#make(encoding)));
    return made;
  }

  async #make(encoding: Encoding): Promise<Uint8Array> {
    try {
      const compressed =
        encoding === 'br'
          ? await compressors.br(this.#bytes, BROTLI_OPTIONS)
          : await compressors.gzip(this.#bytes);
      this.#made.set(encoding, compressed);
      return compressed;
    } catch (error) {
      // Not kept: the next request tries again.
      this.#made.delete(encoding);
      throw error;
    }
  }
}
