import { extname } from 'node:path';
import Type from 'typebox';
import { ApiError, generalErrors } from '../../kernel/declare/errors.ts';
import {
  HttpResponse,
  type CompressedVariants,
  type Encoding,
} from '../../kernel/declare/http-response.ts';
import { operation } from '../../kernel/declare/operation.ts';
import { readWebFile } from './web-build.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.webp': 'image/webp',
};

/** Names contain a hash of the content, so a browser never asks for the same file twice. */
const NAME = /^[a-z0-9-]+-[A-Z0-9]{8}\.(js|css|svg|webp)$/;

/** All files together are a megabyte or two, and names of other files are never stored. */
const responses = new Map<string, HttpResponse<string>>();

export const getWebFile = operation({
  method: 'GET',
  namespace: 'site',
  path: '/app/files/{file}',
  summary: 'Get a script, style sheet or picture of the web app',
  access: 'public',
  scope: null,
  unlimited: true,
  params: Type.Object({ file: Type.String() }),
  response: Type.String(),
  contentType: 'text/javascript',
  handle(_context, { file }) {
    let response = responses.get(file);
    if (!response) responses.set(file, (response = load(file)));
    return response;
  },
});

function load(file: string): HttpResponse<string> {
  const bytes = NAME.test(file) ? readWebFile(file) : undefined;
  if (!bytes) throw new ApiError(generalErrors.noRoute);
  return HttpResponse.encoded<string>(bytes, {
    headers: {
      'Content-Type': TYPES[extname(file)]!,
      'Cache-Control': 'public, max-age=31536000, immutable',
    },
    // Pictures are compressed in themselves.
    ...(!file.endsWith('.webp') && { compressed: new BuiltVariants(file, bytes) }),
  });
}

/** The variants that the build compressed, each read on its first use. */
class BuiltVariants implements CompressedVariants {
  readonly #file: string;
  readonly #plain: Uint8Array;
  readonly #read = new Map<Encoding, Uint8Array>();

  constructor(file: string, plain: Uint8Array) {
    this.#file = file;
    this.#plain = plain;
  }

  in(encoding: Encoding): Uint8Array {
    let bytes = this.#read.get(encoding);
    if (!bytes) {
      bytes = readWebFile(this.#file, encoding) ?? this.#plain;
      this.#read.set(encoding, bytes);
    }
    return bytes;
  }
}
