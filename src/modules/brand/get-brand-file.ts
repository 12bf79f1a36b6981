import Type from 'typebox';
import { ApiError, generalErrors } from '../../kernel/declare/errors.ts';
import { HttpResponse } from '../../kernel/declare/http-response.ts';
import { operation } from '../../kernel/declare/operation.ts';
import { brandStyle } from './brand-style.ts';
import { findBrandFile } from './brand-file-rows.ts';

const ACCENT_FILE = /^accent-([0-9a-f]{6})\.css$/;
const types: Readonly<Record<string, string>> = {
  svg: 'image/svg+xml; charset=utf-8',
  png: 'image/png',
  jpg: 'image/jpeg',
};

const headers = (type: string) => ({
  'Content-Type': type,
  // The name changes with the content.
  'Cache-Control': 'public, max-age=31536000, immutable',
  // A browser that opens the file itself treats an SVG file as a document. It may style itself and nothing else.
  'Content-Security-Policy':
    "sandbox; default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'",
});

export const getBrandFile = operation({
  method: 'GET',
  namespace: 'site',
  path: '/app/brand/{file}',
  summary: 'Get the logo, the picture or the colours of the store',
  access: 'public',
  scope: null,
  params: Type.Object({ file: Type.String() }),
  response: Type.String({ format: 'binary' }),
  contentType: 'image/svg+xml',
  errors: [generalErrors.notFound],
  async handle({ db }, { file }) {
    const accent = ACCENT_FILE.exec(file)?.[1];
    if (accent !== undefined) {
      return HttpResponse.encoded<string>(brandStyle(`#${accent}`), {
        headers: headers('text/css; charset=utf-8'),
      });
    }
    const image = await findBrandFile(db, { name: file });
    if (!image) throw new ApiError(generalErrors.notFound);
    return HttpResponse.encoded<string>(Buffer.from(image.content, 'base64'), {
      headers: {
        ...headers(types[image.name.split('.').at(-1)!]!),
        'Content-Disposition': `inline; filename="${image.name}"`,
      },
    });
  },
});
