import Type from 'typebox';
import type { Reader } from '../../db/database.ts';
import { generalErrors, requireFound } from '../../kernel/declare/errors.ts';
import { HttpResponse } from '../../kernel/declare/http-response.ts';
import { operation } from '../../kernel/declare/operation.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { bytesOf } from '../../shared/base64-file.ts';
import { fileHeaders } from '../../shared/file-name.ts';
import { findBrandFile, type BrandFile } from './brand-file-rows.ts';
import { brandLogo } from './brand-settings.ts';
import { brandStyle } from './brand-style.ts';

const ACCENT_FILE = /^accent-([0-9a-f]{6})\.css$/;
const types: Readonly<Record<string, string>> = {
  svg: 'image/svg+xml; charset=utf-8',
  png: 'image/png',
  jpg: 'image/jpeg',
};

/** For a name that changes with the content. */
const forever = { 'Cache-Control': 'public, max-age=31536000, immutable' };

const safeHeaders = {
  // A browser that opens the file itself treats an SVG file as a document. It may style itself and nothing else.
  'Content-Security-Policy':
    "sandbox; default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'",
};

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
        headers: { ...safeHeaders, 'Content-Type': 'text/css; charset=utf-8', ...forever },
      });
    }
    const image = requireFound(await findBrandFile(db, { name: file }));
    return fileResponse(image, forever);
  },
});

/** The logo for an address that stays when the logo changes; undefined without one. */
export async function currentLogo(
  db: Reader,
  { settings }: Site,
): Promise<HttpResponse<string> | undefined> {
  const name = settings.get(brandLogo);
  const logo = name === '' ? undefined : await findBrandFile(db, { name });
  return logo && fileResponse(logo, { 'Cache-Control': 'public, no-cache', ETag: `"${name}"` });
}

async function fileResponse(
  { name, content }: BrandFile,
  caching: Record<string, string>,
): Promise<HttpResponse<string>> {
  return HttpResponse.encoded<string>(await bytesOf(content), {
    headers: {
      ...safeHeaders,
      ...fileHeaders(name, types[name.split('.').at(-1)!]!, 'inline'),
      ...caching,
    },
  });
}
