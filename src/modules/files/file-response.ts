import { ApiError, generalErrors } from '../../kernel/declare/errors.ts';
import { HttpResponse } from '../../kernel/declare/http-response.ts';
import type { Site } from '../../kernel/declare/site.ts';
import type { FileRow } from './file-rows.ts';
import { extensionOf } from './read-file.ts';
import { smallKey } from './store-file.ts';
import { fileStoreOf } from './store/store-of-site.ts';

/**
 * The bytes of a file. A browser that opens it runs nothing: it keeps to the type, has no origin and loads nothing. What
 * is no image is saved, not shown. Files of the store may be shown on pages of others; private ones are not cached.
 */
export async function fileResponse(
  site: Site,
  row: FileRow,
  part: 'whole' | 'small' = 'whole',
): Promise<HttpResponse<string>> {
  const isSmall = part === 'small';
  const body = await (await fileStoreOf(site)).read(isSmall ? smallKey(row.key) : row.key);
  if (!body) throw new ApiError(generalErrors.notFound);
  const isPublic = row.access === 'public';
  const disposition = row.type.startsWith('image/') ? 'inline' : 'attachment';
  return HttpResponse.encoded<string>(body, {
    headers: {
      'Content-Type': isSmall ? 'image/webp' : withCharset(row.type),
      'Content-Length': String(isSmall ? row.small_bytes : row.bytes),
      'Content-Disposition': `${disposition}; ${nameParameters(row)}`,
      'Content-Security-Policy':
        "sandbox; default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
      'Cross-Origin-Resource-Policy': isPublic ? 'cross-origin' : 'same-origin',
      'Cache-Control': isPublic ? 'public, max-age=31536000, immutable' : 'private, no-store',
    },
  });
}

const withCharset = (type: string) => (type === 'text/plain' ? `${type}; charset=utf-8` : type);

/** RFC 6266: a name in ASCII, and the name as it is for clients that know the second form. */
function nameParameters({ name, type }: FileRow): string {
  const stem = name.replace(/\.[^.]*$/, '') || 'file';
  const whole = `${stem}.${extensionOf(type)}`;
  const plain = whole.replaceAll(/[^\w .-]/g, '_');
  const encoded = encodeURIComponent(whole).replaceAll(
    /['()*]/g,
    (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `filename="${plain}"; filename*=UTF-8''${encoded}`;
}
