import { stringifySetCookie } from 'cookie';
import type { RequestFacts } from '../../kernel/declare/operation.ts';
import type { Site } from '../../kernel/declare/site.ts';
import type { Language } from '../../shared/languages.ts';
import {
  knownLanguage,
  languageCookieName,
  preferredLanguage,
} from '../../shared/reader-language.ts';
import { siteLanguage } from '../store-profile/index.ts';

const YEAR_S = 365 * 86_400;

/** The language of a page: that of the link (`?lang=de`), of the last choice, of the browser, or of the site. */
export function languageOf(site: Site, request: RequestFacts): Language {
  return (
    chosenLanguage(request) ??
    knownLanguage(request.cookie(languageCookieName(request.secure))) ??
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
    name: languageCookieName(secure),
    value: language,
    path: '/',
    sameSite: 'lax',
    secure,
    maxAge: YEAR_S,
  });
}
