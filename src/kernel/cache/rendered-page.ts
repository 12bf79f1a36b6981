import { createHash } from 'node:crypto';
import { HttpResponse } from '../declare/http-response.ts';
import { perSite, type Site } from '../declare/site.ts';
import { CompressedBody } from './compressed-body.ts';

interface RenderedPage {
  readonly revision: number;
  readonly publicUrl: string;
  readonly content: unknown;
  readonly response: HttpResponse;
}

const renderedOf = perSite(() => new Map<string, RenderedPage>());

/**
 * A response that depends only on the settings, the active modules and the public URL. It is rendered
 * once per revision of these and then served as bytes, plain or compressed, so that a public page costs
 * no more than a small response. The cache holds one response per `name` without a limit, so a name must
 * never come from a request. `content` is what else the response depends on; another object renders it again.
 */
export function rendered<T>(
  site: Site,
  name: string,
  render: () => HttpResponse<T>,
  content?: object,
): HttpResponse<T> {
  const known = renderedOf(site).get(name);
  const { revision } = site.registry;
  const { publicUrl } = site;
  const isSame = known?.revision === revision && known.publicUrl === publicUrl;
  if (isSame && known.content === content) {
    // Only one call site uses each name, so the cached response has the type of that call.
    return known.response as HttpResponse<T>;
  }
  const response = withTag(render());
  renderedOf(site).set(name, { revision, publicUrl, content, response });
  return response;
}

/** A body that fits into one network packet is not worth compressing. */
const COMPRESSED_FROM_BYTES = 1_400;

/** Lets browsers cache the response, but revalidate it with the ETag every time. */
export function withTag<T>({ body, status, headers }: HttpResponse<T>): HttpResponse<T> {
  const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  const tag = createHash('sha256').update(bytes).digest('base64url').slice(0, 22);
  const caching = { 'Cache-Control': 'private, no-cache', ETag: `"${tag}"` };
  return HttpResponse.encoded<T>(bytes, {
    status,
    headers: { ...caching, ...headers },
    ...(bytes.length >= COMPRESSED_FROM_BYTES && { compressed: new CompressedBody(bytes) }),
  });
}
