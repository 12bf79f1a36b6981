import { createHash } from 'node:crypto';
import { CompressedBody } from './compressed-body.ts';
import { HttpResponse } from '../declare/http-response.ts';
import { perSite, type Site } from '../declare/site.ts';

interface Rendered {
  readonly revision: number;
  readonly publicUrl: string;
  readonly response: HttpResponse;
}

const renderedOf = perSite(() => new Map<string, Rendered>());

/**
 * An answer that depends on nothing but the settings, what is active and the public address. It is
 * rendered once for each revision of these and then served as bytes, plain or compressed, so that a
 * public page costs no more than a small answer does. `name` comes from the code, never from a request: the cache holds
 * one answer per name.
 */
export function rendered<T>(
  site: Site,
  name: string,
  render: () => HttpResponse<T>,
): HttpResponse<T> {
  const known = renderedOf(site).get(name);
  const { revision } = site.registry;
  const { publicUrl } = site;
  if (known && known.revision === revision && known.publicUrl === publicUrl) {
    // Each name is rendered in one place, so what is cached under it has that place's type.
    return known.response as HttpResponse<T>;
  }
  const response = withTag(render());
  renderedOf(site).set(name, { revision, publicUrl, response });
  return response;
}

/** Less than what fits into one packet is not worth compressing. */
const COMPRESSED_FROM_BYTES = 1_400;

/** A browser may keep it, but must ask each time whether it is still the same. */
function withTag<T>({ body, status, headers }: HttpResponse<T>): HttpResponse<T> {
  const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  const tag = createHash('sha256').update(bytes).digest('base64url').slice(0, 22);
  const caching = { 'Cache-Control': 'private, no-cache', ETag: `"${tag}"` };
  return HttpResponse.encoded<T>(bytes, {
    status,
    headers: { ...caching, ...headers },
    ...(bytes.length >= COMPRESSED_FROM_BYTES && { compressed: new CompressedBody(bytes) }),
  });
}
