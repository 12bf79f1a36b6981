import { createHash } from 'node:crypto';
import { CompressedBody } from './compressed-body.ts';
import { Answer } from './operation.ts';
import { perSite, type Site } from './site.ts';

interface Rendered {
  readonly revision: number;
  readonly publicUrl: string;
  readonly answer: Answer;
}

const renderedOf = perSite(() => new Map<string, Rendered>());

/**
 * An answer that depends on nothing but the settings, what is active and the public address. It is
 * rendered once for each revision of these and then served as bytes, plain or compressed, so that a
 * public page costs no more than a small answer does. `name` comes from the code, never from a request: the cache holds
 * one answer per name.
 */
export function rendered(site: Site, name: string, render: () => Answer): Answer {
  const known = renderedOf(site).get(name);
  const { revision } = site.registry;
  const { publicUrl } = site;
  if (known && known.revision === revision && known.publicUrl === publicUrl) return known.answer;
  const answer = withTag(render());
  renderedOf(site).set(name, { revision, publicUrl, answer });
  return answer;
}

/** Less than what fits into one packet is not worth compressing. */
const COMPRESSED_FROM_BYTES = 1_400;

/** A browser may keep it, but must ask each time whether it is still the same. */
function withTag({ body, status, headers }: Answer): Answer {
  const bytes = Buffer.from(body as string);
  const tag = createHash('sha256').update(bytes).digest('base64url').slice(0, 22);
  const caching = { 'Cache-Control': 'private, no-cache', ETag: `"${tag}"` };
  return new Answer(bytes, {
    ...(status && { status }),
    headers: { ...caching, ...headers },
    ...(bytes.length >= COMPRESSED_FROM_BYTES && { compressed: new CompressedBody(bytes) }),
  });
}
