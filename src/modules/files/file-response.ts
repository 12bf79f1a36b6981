import { ApiError, generalErrors } from '../../kernel/declare/errors.ts';
import { HttpResponse } from '../../kernel/declare/http-response.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { fileHeaders } from '../../shared/file-name.ts';
import type { FileRow } from './file-rows.ts';
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
  const bytes = isSmall ? row.small_bytes : row.bytes;
  return HttpResponse.encoded<string>(counted(body, bytes), {
    headers: {
      ...fileHeaders(row.name, isSmall ? 'image/webp' : withCharset(row.type), disposition),
      'Content-Length': String(bytes),
      'Content-Security-Policy':
        "sandbox; default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
      'Cross-Origin-Resource-Policy': isPublic ? 'cross-origin' : 'same-origin',
      'Cache-Control': isPublic ? 'public, max-age=31536000, immutable' : 'private, no-store',
    },
  });
}

const withCharset = (type: string) => (type === 'text/plain' ? `${type}; charset=utf-8` : type);

/** Fails if the store has other bytes than were stored, which ends the connection: the client never waits for the rest. */
async function* counted(body: AsyncIterable<Uint8Array>, expected: number) {
  let bytes = 0;
  for await (const chunk of body) {
    if ((bytes += chunk.length) > expected) break;
    yield chunk;
  }
  if (bytes !== expected) throw new Error(`a file of ${expected} bytes has another length`);
}
