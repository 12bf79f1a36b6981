import { stringifySetCookie } from 'cookie';
import type { RequestFacts } from '../../kernel/declare/operation.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { languages, type Language } from '../../shared/languages.ts';
import { siteLanguage } from '../meta/index.ts';

/** Not a secret: the portal sets it too, from the person's profile. */
export const LANGUAGE_COOKIE = 'tributary_language';
const YEAR_S = 365 * 86_400;

/** The language of a page: that of the link (`?lang=de`), of the last choice, of the browser, or of the site. */
export function languageOf(site: Site, request: RequestFacts): Language {
  return (
    chosenLanguage(request) ??
    knownLanguage(request.cookie(LANGUAGE_COOKIE)) ??
    preferredLanguage(request.acceptLanguage) ??
    site.settings.get(siteLanguage)
  );
}

/** The language that the reader has just chosen in the footer. */
export function chosenLanguage({ search }: RequestFacts): Language | undefined {
  if (!search.includes('lang=')) return undefined;
  return knownLanguage(new URLSearchParams(search).get('lang') ?? undefined);
}

export function languageCookie(language: Language, secure: boolean): string {
  return stringifySetCookie({
    name: LANGUAGE_COOKIE,
    value: language,
    path: '/',
    sameSite: 'lax',
    secure,
    maxAge: YEAR_S,
  });
}

function knownLanguage(text: string | undefined): Language | undefined {
  return languages.find((language) => language === text);
}

const HEADER_LENGTH_MAX = 500;

/** The first supported language of Accept-Language, by quality. */
function preferredLanguage(header: string): Language | undefined {
  const wanted = header
    .slice(0, HEADER_LENGTH_MAX)
    .split(',')
    .map((part) => {
      const [tag = '', ...parameters] = part.trim().toLowerCase().split(';');
      const quality = parameters.find((one) => one.trim().startsWith('q='))?.trim();
      return { tag: tag.split('-')[0], quality: quality ? Number(quality.slice(2)) : 1 };
    })
    .filter(({ quality }) => quality > 0)
    .sort((a, b) => b.quality - a.quality);
  for (const { tag } of wanted) {
    const language = knownLanguage(tag);
    if (language) return language;
  }
  return undefined;
}
