import { rendered } from '../../kernel/cache/rendered-page.ts';
import { HttpResponse } from '../../kernel/declare/http-response.ts';
import type { RequestFacts } from '../../kernel/declare/operation.ts';
import type { Site } from '../../kernel/declare/site.ts';
import type { Language } from '../../shared/languages.ts';
import type { PageName, PageProps, RenderToHtml } from '../../web-contract/page-props.ts';
import { pageBrand } from '../brand/index.ts';
import { affiliateWord, siteName } from '../store-profile/index.ts';
import { chosenLanguage, languageCookie, languageOf } from './page-language.ts';
import { entryOf, loadRenderer } from './web-build.ts';

interface PageOptions {
  /** Above the content instead of the name of the store, which may have none yet. */
  readonly heading?: string;
  readonly status?: number;
  readonly headers?: Record<string, string | string[]>;
  /** The name of an entry point of `web/public` whose script the page may use. It must work without. */
  readonly script?: string;
  /** Of a page that is rendered once: what else it depends on. */
  readonly content?: object;
  /** Of a page that is rendered once for each of a few known things: which of them. It never comes from a request. */
  readonly variant?: string;
}

/** A public page in the reader's language. The page with this name is a file of `web/public`. */
export async function renderPage<N extends PageName>(
  site: Site,
  request: RequestFacts,
  name: N,
  props: PageProps[N],
  options: PageOptions = {},
): Promise<HttpResponse<string>> {
  const language = languageOf(site, request);
  const { search } = request;
  const render = await loadRenderer();
  const response = toResponse(site, render, { language, search }, name, props, options);
  return chosenLanguage(request) ? withLanguageCookie(response, language, request) : response;
}

/**
 * A public page that depends only on settings and language. It is rendered once per revision of the
 * settings, so that it costs no more than a small response.
 */
export async function renderPageOnce<N extends PageName>(
  site: Site,
  request: RequestFacts,
  name: N,
  propsOf: (language: Language) => PageProps[N],
  options: PageOptions = {},
): Promise<HttpResponse<string>> {
  const language = languageOf(site, request);
  const render = await loadRenderer();
  const response = rendered(
    site,
    `page ${name} ${options.variant ?? ''} ${language}`,
    () => toResponse(site, render, { language, search: '' }, name, propsOf(language), options),
    options.content,
  );
  return chosenLanguage(request) ? withLanguageCookie(response, language, request) : response;
}

function toResponse<N extends PageName>(
  site: Site,
  render: RenderToHtml,
  { language, search }: { language: Language; search: string },
  name: N,
  props: PageProps[N],
  { heading, status, headers, script }: PageOptions,
): HttpResponse<string> {
  const html = render(name, props, {
    language,
    search,
    siteName: heading ?? site.settings.get(siteName),
    publicUrl: site.publicUrl,
    affiliateWord: site.settings.get(affiliateWord),
    brand: pageBrand(site),
    style: entryOf('public').style!,
    ...(script !== undefined && { script: entryOf(script).script! }),
  });
  return new HttpResponse(html, {
    status,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': pagePolicy(script !== undefined),
      'Content-Language': language,
      'Referrer-Policy': 'no-referrer',
      'X-Frame-Options': 'DENY',
      ...headers,
    },
  });
}

/** Forbids scripts unless the page has one of ours, requests to other hosts, and frames. */
function pagePolicy(hasScript: boolean): string {
  const script = hasScript ? "; script-src 'self'; connect-src 'self'" : '';
  return (
    "default-src 'none'; base-uri 'none'; frame-ancestors 'none'; style-src 'self'; " +
    `img-src 'self'; form-action 'self'${script}`
  );
}

function withLanguageCookie(
  response: HttpResponse<string>,
  language: Language,
  { secure }: RequestFacts,
): HttpResponse<string> {
  const { body, status, headers, compressed } = response;
  const own = headers['Set-Cookie'];
  const cookies = [...(own === undefined ? [] : [own].flat()), languageCookie(language, secure)];
  return new HttpResponse<string>(body as string, {
    status,
    headers: { ...headers, 'Set-Cookie': cookies },
    compressed,
  });
}
